"""What the browser knows not to be shown: written onto the elements, in styles that readers of HTML understand."""

from __future__ import annotations

# Run where `snapshot` runs, before shadow trees are flattened. Everything is computed before anything is written. What
# a form's property says may be one of its fields (`<input name=style>`): so the prototypes are asked.
#
# The reader tells what opens (WAI-ARIA) and what fades in from what hides: so the way of hiding is kept. What waits
# below the first screen for its turn to fade in is not marked. A formula's MathML is hidden beside its picture.
#
# Once everything is marked, the page's own styles go: a reader who judged them again would know less than the browser.
MARK = """
(trees => {
  const UNREAD = 'head, script, style, noscript, template, meta, link, math, svg, rp, select, textarea, iframe,' +
    'object, audio, video, canvas';
  const of = (kind, name, element) => Reflect.get(kind.prototype, name, element);
  const text = node => of(Node, 'textContent', node).trim();
  const matches = (element, selector) => Element.prototype.matches.call(element, selector);
  const inside = (element, selector) => [...Element.prototype.querySelectorAll.call(element, selector)];
  const far = (...lengths) => lengths.some(length => parseFloat(length) <= -900);
  const rgb = colour => colour.startsWith('rgb') ? colour.match(/[\\d.]+/g).map(Number) : [];
  const same = (one, other) => one.length > 2 && [0, 1, 2].every(n => Math.abs(one[n] - other[n]) <= 24);
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
  const away = (element, style, at) =>
    at.right + scrollX <= -300 || at.bottom + scrollY <= -300 || at.left + scrollX >= 5000 ||
    style.position === 'fixed' && (at.left >= innerWidth + 300 || at.top >= innerHeight + 300);

  // The colour right behind an element's text; null where that cannot be told.
  const grounds = new Map();
  const ground = element => {
    if (!(element instanceof Element)) return element instanceof ShadowRoot ? ground(element.host) : [255, 255, 255];
    if (!grounds.has(element)) {
      const style = getComputedStyle(element), [r, g, b, alpha = 1] = rgb(style.backgroundColor);
      grounds.set(element, style.backgroundImage !== 'none' || r === undefined || alpha > 0.05 && alpha < 0.95 ||
        element === document.documentElement && style.colorScheme.includes('dark') ? null :
        alpha >= 0.95 ? [r, g, b] : ground(element.assignedSlot || element.parentNode));
    }
    return grounds.get(element);
  };
  const PICTURES = 'img, picture, video, canvas, svg, iframe, object, embed';
  const draws = (style, except = []) => style.backgroundImage !== 'none' ||
    !(rgb(style.backgroundColor)[3] <= 0.05 || same(rgb(style.backgroundColor), except));
  let places = null;
  // Whether anything else is drawn where an element is: then its ground is not what it seems.
  const covered = (element, colour) => {
    for (let at = element; at instanceof Element; at = at.parentElement)
      for (const which of ['::before', '::after']) {
        const style = getComputedStyle(at, which);
        if (style.content !== 'none' && style.content !== 'normal' && draws(style, colour)) return true;
      }
    const {left, right, top, bottom} = space(element);
    places ??= painters.map(other =>
      [other, (matches(other, PICTURES) ? other.parentElement || other : other).getBoundingClientRect()]);
    return places.some(([other, at]) =>
      at.left < right && left < at.right && at.top < bottom && top < at.bottom &&
      !other.contains(element) && !element.contains(other) &&
      (matches(other, PICTURES) || draws(getComputedStyle(other), colour)));
  };
  const waits = (element, style) =>
    style.visibility === 'visible' && style.pointerEvents !== 'none' && space(element).top >= innerHeight &&
    (style.animationName !== 'none' ||
      /opacity|all/.test(style.transitionProperty) && parseFloat(style.transitionDuration) > 0);

  // Why nothing of an element is shown, whatever stands in it.
  const whole = (element, style) => {
    if (style.display === 'none' || style.display.startsWith('table-column')) return {display: 'none'};
    if (style.display === 'contents') return null;
    if (style.contentVisibility === 'hidden') return {'content-visibility': 'hidden'};
    if (style.opacity < 0.05 || /opacity\\(0(\\.0\\d*)?\\)/.test(style.filter)) {
      if (waits(element, style)) return null;
      return style.transform === 'none' ? {opacity: '0'} : {opacity: '0', transform: style.transform};
    }
    if (cut(element, style) || /blur\\(\\d\\d/.test(style.filter)) return {height: '0px', overflow: 'hidden'};
    const turned = [style.transform, style.translate, style.scale, style.rotate, style.offsetPath]
      .some(way => way !== 'none');
    const placed = style.position !== 'static' &&
      [style.left, style.top].some(length => Math.abs(parseFloat(length)) >= 900);
    if (turned || placed || far(style.marginLeft, style.marginTop, style.textIndent)) {
      const at = space(element);
      if (turned && (at.width < 1 || at.height < 1)) return {height: '0px', overflow: 'hidden'};
      if (away(element, style, at)) return {position: 'absolute', left: '-9999px'};
    }
    return null;
  };
  // Why an element's own text is not shown; elements in it may undo that.
  const own = (style, painted) => {
    if (style.visibility !== 'visible') return {visibility: 'hidden'};
    const drawn = painted || style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0;
    if (!drawn && clear(style.webkitTextFillColor) || parseFloat(style.fontSize) < 2 ||
        parseFloat(style.letterSpacing) <= -parseFloat(style.fontSize) / 2) return {color: 'transparent'};
    return null;
  };

  const marks = [], ends = new Set(), painters = [], doubted = [];
  const none = new Set(trees.flatMap(tree => [...tree.querySelectorAll('[hidden]')])
    .filter(element => getComputedStyle(element).display === 'none'));
  let shown = 0, hidden = 0;
  const mark = (node, rules) => { marks.push([node, rules]); hidden += text(node).length; };
  for (const tree of trees) {
    const painted = new Set();
    const walker = document.createTreeWalker(tree, NodeFilter.SHOW_ELEMENT, element =>
      ends.has(element.parentNode) || matches(element, UNREAD) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    while (walker.nextNode()) {
      const element = walker.currentNode, style = getComputedStyle(element);
      if (painted.has(element.parentNode) || style.backgroundClip.includes('text')) painted.add(element);
      if (matches(element, PICTURES) || draws(style)) painters.push(element);
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
        if (reason) { mark(child, reason); continue; }
        shown += text(child).length;
        const behind = painted.has(element) || style.textShadow !== 'none' ? null : ground(element);
        if (behind && doubted.length < 2000 && same(rgb(style.webkitTextFillColor), behind))
          doubted.push([element, child, behind]);
      }
    }
  }
  for (const [element, child, behind] of doubted)
    if (!covered(element, behind)) { shown -= text(child).length; mark(child, {color: 'transparent'}); }
  // A page that shows next to nothing has not come to its end: then nothing can be told apart.
  if (shown < 200 && shown < hidden / 20) return;
  for (const tree of trees) {
    for (const sheet of tree.querySelectorAll('style')) sheet.remove();
    for (const element of tree.querySelectorAll('[style], [bgcolor], font[color], [hidden]')) {
      const still = Element.prototype.getAttribute.call(element, 'hidden');
      if (still !== null && still !== 'until-found' && !none.has(element))
        Element.prototype.removeAttribute.call(element, 'hidden');
      const align = element instanceof HTMLTableCellElement ? of(HTMLElement, 'style', element).textAlign : '';
      for (const name of ['style', 'bgcolor', 'color']) Element.prototype.removeAttribute.call(element, name);
      if (align) of(HTMLElement, 'style', element).textAlign = align;
    }
  }
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
