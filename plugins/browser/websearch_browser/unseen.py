"""What the browser knows not to be shown: written onto the elements, in styles that readers of HTML understand."""

from __future__ import annotations

# Run where `snapshot` runs, before shadow trees are flattened. Everything is computed before anything is written. What
# a form's property says may be one of its fields (`<input name=style>`): so the prototypes are asked.
#
# The reader tells what opens (WAI-ARIA) and what fades in from what hides: so the way of hiding is kept. What waits
# below the first screen for its turn to fade in is not marked. A formula's MathML is hidden beside its picture.
MARK = """
(trees => {
  const UNREAD = 'head, script, style, noscript, template, meta, link, math, svg, rp, select, textarea, iframe,' +
    'object, audio, video, canvas';
  const of = (kind, name, element) => Reflect.get(kind.prototype, name, element);
  const text = node => of(Node, 'textContent', node).trim();
  const matches = (element, selector) => Element.prototype.matches.call(element, selector);
  const inside = (element, selector) => [...Element.prototype.querySelectorAll.call(element, selector)];
  const far = (...lengths) => lengths.some(length => parseFloat(length) <= -900);
  const clear = colour => /^(rgba\\(.*, 0(\\.0\\d*)?\\)|.*\\/ 0(\\.0\\d*)?\\))$/.test(colour);

  const space = element => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  const cut = (element, style) => {
    const size = name => element instanceof HTMLElement ? of(HTMLElement, name, element) : 2;
    const hides = overflow => overflow === 'hidden' || overflow === 'clip';
    if (style.display !== 'inline' && (hides(style.overflowX) && size('offsetWidth') < 2 ||
        hides(style.overflowY) && size('offsetHeight') < 2)) return true;
    const [top, right, bottom, left] = (style.clip.match(/-?[\\d.]+/g) || []).map(Number);
    if (left !== undefined && (right - left < 2 || bottom - top < 2)) return true;
    return /inset\\((5\\d|[6-9]\\d|100)%|circle\\(0|polygon\\(0(px)? 0(px)?\\)/.test(style.clipPath);
  };
  const waits = (element, style) =>
    style.visibility === 'visible' && style.pointerEvents !== 'none' && space(element).top >= innerHeight &&
    (style.animationName !== 'none' ||
      /opacity|all/.test(style.transitionProperty) && parseFloat(style.transitionDuration) > 0);

  // Why nothing of an element is shown, whatever stands in it.
  const whole = (element, style) => {
    if (style.display === 'none') return {display: 'none'};
    if (style.display === 'contents') return null;
    if (style.contentVisibility === 'hidden') return {'content-visibility': 'hidden'};
    if (style.opacity < 0.05 || /opacity\\(0(\\.0\\d*)?\\)/.test(style.filter)) {
      if (waits(element, style)) return null;
      return style.transform === 'none' ? {opacity: '0'} : {opacity: '0', transform: style.transform};
    }
    if (cut(element, style)) return {height: '0px', overflow: 'hidden'};
    const turned = [style.transform, style.translate, style.scale, style.rotate].some(way => way !== 'none');
    if (turned || far(style.left, style.top, style.marginLeft, style.marginTop, style.textIndent)) {
      const at = space(element);
      if (turned && (at.width < 1 || at.height < 1)) return {height: '0px', overflow: 'hidden'};
      if (at.right + scrollX <= -300 || at.bottom + scrollY <= -300) return {position: 'absolute', left: '-9999px'};
    }
    return null;
  };
  // Why an element's own text is not shown; elements in it may undo that.
  const own = (style, painted) => {
    if (style.visibility !== 'visible') return {visibility: 'hidden'};
    const drawn = painted || style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0;
    if (!drawn && clear(style.webkitTextFillColor) || parseFloat(style.fontSize) < 2) return {color: 'transparent'};
    return null;
  };

  const marks = [], ends = new Set();
  let shown = 0, hidden = 0;
  const mark = (node, rules) => { marks.push([node, rules]); hidden += text(node).length; };
  for (const tree of trees) {
    const painted = new Set();
    const walker = document.createTreeWalker(tree, NodeFilter.SHOW_ELEMENT, element =>
      ends.has(element.parentNode) || matches(element, UNREAD) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    while (walker.nextNode()) {
      const element = walker.currentNode, style = getComputedStyle(element);
      if (painted.has(element.parentNode) || style.backgroundClip.includes('text')) painted.add(element);
      const formula = Element.prototype.querySelector.call(element, 'math');
      let rules = formula && text(formula) === text(element) ? null : whole(element, style);
      const reason = own(style, painted.has(element));
      if (reason?.visibility && !inside(element, '*').some(each => getComputedStyle(each).visibility === 'visible'))
        rules ??= reason;
      if (rules) {
        ends.add(element);
        for (const node of element instanceof HTMLSlotElement ? element.assignedNodes() : [element]) mark(node, rules);
        continue;
      }
      for (const child of of(Node, 'childNodes', element)) {
        if (child.nodeType !== Node.TEXT_NODE || !text(child)) continue;
        if (reason) mark(child, reason); else shown += text(child).length;
      }
    }
  }
  // A page that shows next to nothing has not come to its end: then nothing can be told apart.
  if (shown < 200 && shown < hidden / 20) return;
  for (const [node, rules] of marks) {
    let element = node;
    if (node.nodeType === Node.TEXT_NODE) {
      element = document.createElement('span');
      node.replaceWith(element);
      element.append(node);
    }
    const style = element instanceof HTMLElement ? of(HTMLElement, 'style', element) : null;
    for (const [name, value] of Object.entries(rules)) style?.setProperty(name, value, 'important');
  }
})
"""
