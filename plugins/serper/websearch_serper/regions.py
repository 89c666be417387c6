"""Google's codes for languages and countries, as Serper takes them."""

from __future__ import annotations

from websearch_core.kit import RegionCodes

_COUNTRIES = """ad ae af ag ai al am ao aq ar as at au aw az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by
    bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cx cy cz de dj dk dm do dz ec ee eg eh er es et fi fj fk fm fo
    fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je
    jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp
    mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py
    qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr st sv sy sz tc td tf tg th tj tk tl tm tn to tr
    tt tv tw tz ua ug um us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw"""
"""Countries that a search can come from (`gl`)."""
_LANGUAGES = """ach af ak am ar az be bem bg bh bn br bs ca chr ckb co crs cs cy da de ee el en eo es es-419 et eu
    fa fi fo fr fy ga gaa gd gl gn gu ha haw hi hr ht hu hy ia id ig is it iw ja jw ka kg kk kl km kn ko kri ku ky
    la lg ln lo loz lt lua lv mfe mg mi mk ml mn mr ms mt mv my ne nl nn no nso ny nyn oc om or pa pcm pl ps pt
    pt-br pt-pt qu rm rn ro ru rw sd si sk sl sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr tt tum tw ug uk
    ur uz vi wo xh yi yo zh-cn zh-tw zu"""
"""Languages of Google's own pages (`hl`), which are preferred among the results."""

place = RegionCodes("Serper", gl=_COUNTRIES, hl=_LANGUAGES).parameters
