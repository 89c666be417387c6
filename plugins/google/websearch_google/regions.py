"""Google's own codes for languages and countries (Programmable Search, "JSON API reference")."""

from __future__ import annotations

from websearch_core.kit import RegionCodes

_COUNTRIES = """ad ae af ag ai al am ao aq ar as at au aw az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by bz ca
    cc cd cf cg ch ci ck cl cm cn co cr cu cv cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo fr ga gd ge
    gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki
    km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my
    mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se
    sg sh si sj sk sl sm sn so sr st sv sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk um us uy uz va vc
    ve vg vi vn vu wf ws ye yt za zm zw"""
"""Countries that a search can come from (`gl`)."""
_ISO = {"gb": "uk"}
"""ISO 3166-1 to Google's, where they differ."""

_RESULTS = """ar bg ca cs da de el en es et fi fr hr hu id is it iw ja ko lt lv nl no pl pt ro ru sk sl sr sv tr zh-CN
    zh-TW"""
"""Languages to which results can be restricted (`lr`)."""
_INTERFACE = """af ar az be bg bh bn bs ca cs cy da de el en eo es et eu fa fi fo fr fy ga gd gl gu hi hr hu ia id is
    it iw ja jw ka kn ko la lt lv mk ml mr ms mt ne nl nn no oc pa pl pt-BR pt-PT ro ru si sk sl sq sr su sv sw ta te th
    ti tl tr uk ur uz vi xh zh-CN zh-TW zu"""
"""Languages of Google's own pages (`hl`), which are preferred among the results."""

place = RegionCodes("Google", gl=_COUNTRIES, hl=_INTERFACE, lr=_RESULTS, countries=_ISO).parameters
