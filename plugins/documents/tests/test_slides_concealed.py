"""What a slide does not show is not in the body; what it shows on a dark ground or a picture is."""

from __future__ import annotations

import pytest

from websearch_core.testing.samples import archives
from websearch_core.testing.samples.archives import zipped
from websearch_documents.office.hidden_text import without_concealed

from .test_concealed import archives_of, office

NS = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
)
WHITE = '<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>'
WORN = '<a:solidFill><a:schemeClr val="bg1"><a:lumMod val="95000"/></a:schemeClr></a:solidFill>'
FAR = '<a:xfrm><a:off x="-5000000" y="0"/><a:ext cx="1000000" cy="1000000"/></a:xfrm>'
NEAR = '<a:xfrm><a:off x="100" y="100"/><a:ext cx="1000000" cy="1000000"/></a:xfrm>'
BLUE = '<a:solidFill><a:srgbClr val="000080"/></a:solidFill>'
DARK = f"<p:bg><p:bgPr>{BLUE}</p:bgPr></p:bg>"
PICTURE = f"<p:pic><p:nvPicPr><p:cNvPr/></p:nvPicPr><p:spPr>{NEAR}</p:spPr></p:pic>"
AWAY = f"<p:pic><p:spPr>{NEAR.replace('100', '5000000')}</p:spPr></p:pic>"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
MASTER = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def shape(text: str, run: str = "", properties: str = "", named: str = "", body: str = "") -> str:
    """A shape with one run."""
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr id='9' name='x' {named}/><p:nvPr/></p:nvSpPr><p:spPr>{properties}</p:spPr>"
        f"<p:txBody><a:bodyPr/>{body}<a:p><a:r>{run}<a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def leveled(properties: str, level: int = 1) -> str:
    """What a shape says of the text of one level."""
    return f"<a:lstStyle><a:lvl{level}pPr>{properties}</a:lvl{level}pPr></a:lstStyle>"


def ran(fill: str) -> str:
    """A run's properties."""
    return f"<a:rPr>{fill}</a:rPr>"


def group(shapes: str, offset: int) -> str:
    """A group that moves what is in it."""
    moved = f'<a:off x="{offset}" y="0"/><a:ext cx="9" cy="9"/><a:chOff x="0" y="0"/><a:chExt cx="9" cy="9"/>'
    return f"<p:grpSp><p:grpSpPr><a:xfrm>{moved}</a:xfrm></p:grpSpPr>{shapes}</p:grpSp>"


def parts_of(shapes: str, ground: str = "", **more: str) -> dict[str, bytes]:
    """A presentation of one slide, with a shape that is seen."""
    made = archives_of(archives.pptx([("Seen", [])]))
    slide = f"<p:sld {NS}><p:cSld>{ground}<p:spTree>{shape('Seen')}{shapes}</p:spTree></p:cSld></p:sld>"
    return {**made, "ppt/slides/slide1.xml": slide.encode(), **{name: text.encode() for name, text in more.items()}}


@pytest.mark.parametrize(
    "unseen",
    [
        shape("SECRET", ran(WHITE)),
        shape("SECRET", ran(WORN)),
        shape("SECRET", ran('<a:solidFill><a:sysClr val="window" lastClr="FFFFFF"/></a:solidFill>')),
        shape("SECRET", ran("<a:noFill/>")),
        shape("SECRET", ran('<a:solidFill><a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr></a:solidFill>')),
        shape("SECRET", '<a:rPr sz="100"/>'),
        shape("SECRET", "", FAR),
        shape("SECRET", "", "", "hidden='1'"),
        shape("SECRET", ran(WHITE), f"{NEAR}{WHITE}"),
        shape("SECRET", ran(BLUE), f"{NEAR}{BLUE}"),
        shape("SECRET", ran(WHITE), NEAR) + PICTURE,
        AWAY + shape("SECRET", ran(WHITE), NEAR),
        shape("SECRET", "", "", "", f"<a:lstStyle><a:lvl1pPr><a:defRPr>{WHITE}</a:defRPr></a:lvl1pPr></a:lstStyle>"),
        shape("SECRET", "", "", "", leveled('<a:defRPr sz="100"/>')),
        shape("SECRET", '<a:rPr lang="en"/>', "", "", leveled('<a:defRPr sz="100"/>')),
        shape("SECRET", "", "", "", leveled("<a:defRPr><a:noFill/></a:defRPr>")),
        group(shape("SECRET", "", NEAR), 99_000_000),
        shape("SECRET", ran(WHITE)).replace("a:r>", "a:fld>"),
    ],
)
async def test_text_that_a_slide_does_not_show_is_apart(unseen: str) -> None:
    page = await office(zipped(parts_of(unseen)))
    assert page.body == "[slide 1]\n\nSeen"
    assert page.hidden == "SECRET"
    assert page.notes


@pytest.mark.parametrize(
    ("seen", "ground"),
    [
        (shape("Also", ran(WHITE), f"{NEAR}{BLUE}"), ""),
        (shape("Also", ran(WHITE)), DARK),
        (shape("Also", ran(WHITE)), '<p:bg><p:bgRef idx="1003"><a:schemeClr val="bg1"/></p:bgRef></p:bg>'),
        (PICTURE + shape("Also", ran(WHITE), NEAR), ""),
        (shape("Also", ran(f"{WHITE}<a:highlight><a:srgbClr val='000000'/></a:highlight>")), ""),
        (shape("Also", "", NEAR), ""),
        (shape("Also", ran(BLUE), NEAR), ""),
        (shape("Also", '<a:rPr sz="1200"/>', f"{NEAR}<a:gradFill/>"), ""),
        (group(shape("Also", "", NEAR), 100), ""),
        (shape("Also", '<a:rPr sz="1200"/>', "", "", leveled('<a:defRPr sz="100"/>')), ""),
        (shape("Also", "", "", "", leveled('<a:defRPr sz="100"/>', 2)), ""),
        (shape("Also", ran(BLUE), "", "", leveled("<a:defRPr><a:noFill/></a:defRPr>")), ""),
    ],
)
async def test_text_that_a_slide_shows_stays(seen: str, ground: str) -> None:
    page = await office(zipped(parts_of(seen, ground)))
    assert page.body == "[slide 1]\n\nSeen\n\nAlso"
    assert (page.hidden, page.notes) == ("", ())


def related(kind: str, target: str) -> str:
    """A `.rels` part of one line."""
    line = f'<Relationship Id="r1" Type="{MASTER}{kind}" Target="{target}"/>'
    return f'<Relationships xmlns="{PACKAGE}">{line}</Relationships>'


@pytest.mark.parametrize(("ground", "seen"), [(WHITE, False), (BLUE, True)])
def test_the_ground_may_come_from_the_master_below(ground: str, seen: bool) -> None:
    parts = parts_of(
        shape("SECRET", ran(WHITE)),
        **{
            "ppt/slides/_rels/slide1.xml.rels": related("slideLayout", "../slideLayouts/slideLayout1.xml"),
            "ppt/slideLayouts/slideLayout1.xml": f"<p:sldLayout {NS}/>",
            "ppt/slideLayouts/_rels/slideLayout1.xml.rels": related("slideMaster", "/ppt/slideMasters/a.xml"),
            "ppt/slideMasters/a.xml": f"<p:sldMaster {NS}><p:bg><p:bgPr>{ground}</p:bgPr></p:bg></p:sldMaster>",
        },
    )
    assert without_concealed(parts) == ("" if seen else "SECRET")


def test_a_master_may_turn_light_and_dark() -> None:
    mapped = '<p:clrMap bg1="dk1" tx1="lt1" bg2="dk2" tx2="lt2"/>'
    written = {
        "ppt/slides/_rels/slide1.xml.rels": related("slideLayout", "../slideLayouts/a.xml"),
        "ppt/slideLayouts/a.xml": f"<p:sldLayout {NS}/>",
        "ppt/slideLayouts/_rels/a.xml.rels": related("slideMaster", "../slideMasters/a.xml"),
        "ppt/slideMasters/a.xml": f"<p:sldMaster {NS}>{mapped}</p:sldMaster>",
    }
    assert without_concealed(parts_of(shape("Also", ran(WHITE)), **written)) == ""
    assert without_concealed(parts_of(shape("SECRET", ran(WHITE.replace("FFFFFF", "000000"))), **written)) == "SECRET"


@pytest.mark.parametrize("hidden", [True, False])
async def test_the_notes_of_a_hidden_slide_are_hidden_with_it(hidden: bool) -> None:
    parts = parts_of(
        "",
        **{
            "ppt/slides/_rels/slide1.xml.rels": related("notesSlide", "../notesSlides/notesSlide1.xml"),
            "ppt/notesSlides/notesSlide1.xml": f"<p:notes {NS}><p:cSld><p:spTree>{shape('Aside')}"
            f"{shape('SECRET', ran(WHITE))}</p:spTree></p:cSld></p:notes>",
        },
    )
    if hidden:
        parts["ppt/slides/slide1.xml"] = parts["ppt/slides/slide1.xml"].replace(b"<p:sld ", b'<p:sld show="0" ')
    page = await office(zipped(parts))
    assert ("Aside" in page.body) is not hidden
    assert page.hidden == ("Seen Aside SECRET" if hidden else "SECRET")
