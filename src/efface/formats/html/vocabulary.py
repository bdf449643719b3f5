"""Names that HTML itself defines. They are vocabulary, not content; any other name in a tag is searched."""

from __future__ import annotations

# A word may go on across these tags.
INLINE = frozenset(
    "a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr q rb rp rt rtc ruby s "
    "samp small span strike strong sub sup time tt u var wbr".split()
)
CELLS = frozenset(["td", "th"])
RUBY = frozenset(["rp", "rt"])  # how the word beside it is read: not a part of the line
# Browsers show nothing of these elements, and a word goes on across them.
UNSEEN = frozenset(["script", "style", "template"])
ELEMENTS = (
    INLINE
    | CELLS
    | frozenset(
        "address applet area article aside audio base basefont bgsound blockquote body br button canvas "
        "caption center circle clippath col colgroup command datalist dd defs desc details dialog dir div "
        "dl dt ellipse embed fieldset figcaption figure footer foreignobject form frame frameset g h1 h2 "
        "h3 h4 h5 h6 head header hgroup hr html iframe image img input isindex keygen legend li line "
        "lineargradient link listing main map marquee mask math menu menuitem meta metadata meter mi mn "
        "mo mrow mtext nav noembed noframes noscript object ol optgroup option output p param path "
        "pattern picture plaintext polygon polyline portal pre progress radialgradient rect "
        "script search section select slot source stop style summary svg symbol table tbody template "
        "text textarea tfoot thead title tr track tspan ul use video view xml xmp".split()
    )
)
ATTRIBUTES = frozenset(
    "abbr accept accept-charset accesskey action align alink allow allowfullscreen alt archive async "
    "autocapitalize autocomplete autofocus autoplay axis background behavior bgcolor border bordercolor "
    "bottommargin capture cellpadding cellspacing char charoff charset checked cite class classid clear "
    "code codebase codetype color cols colspan compact content contenteditable controls coords "
    "crossorigin cx cy d data datetime declare decoding default defer dir direction dirname disabled "
    "download draggable enctype enterkeyhint exportparts face fetchpriority fill fill-rule for form "
    "formaction formenctype formmethod formnovalidate formtarget frame frameborder headers height hidden "
    "high href hreflang hspace http-equiv id imagesizes imagesrcset inert inputmode integrity is ismap "
    "itemid itemprop itemref itemscope itemtype kind label lang language leftmargin link list loading "
    "longdesc loop low manifest marginheight marginwidth max maxlength media method min minlength "
    "multiple muted name nohref nomodule nonce noresize noshade novalidate nowrap object open optimum "
    "part pattern ping placeholder playsinline points popover popovertarget poster preload "
    "preserveaspectratio profile prompt property r readonly referrerpolicy rel required rev reversed "
    "rightmargin role rows rowspan rules rx ry sandbox scheme scope scrolling selected shape size sizes "
    "slot span spellcheck src srcdoc srclang srcset standby start step stroke stroke-linecap "
    "stroke-linejoin stroke-width style summary tabindex target text title topmargin transform translate "
    "type typemustmatch usemap valign value valuetype version viewbox vlink vspace width wrap x x1 x2 "
    "xlink:href xml:base xml:lang xml:space xmlns xmlns:o xmlns:v xmlns:w xmlns:xlink y y1 y2 aria-label "
    "aria-labelledby aria-describedby aria-description aria-hidden aria-live aria-current aria-expanded "
    "aria-controls aria-placeholder aria-roledescription aria-valuetext onclick ondblclick onload "
    "onunload onchange onsubmit onreset onfocus onblur onkeydown onkeyup onkeypress onmousedown onmouseup "
    "onmouseover onmouseout onmousemove oninput onselect onerror onscroll".split()
)
# Attributes that hold a URL.
URLS = frozenset(
    "action archive background cite classid codebase data formaction href imagesrcset itemid "
    "itemtype longdesc manifest ping poster profile src srcset usemap xlink:href xml:base".split()
)
RAW = frozenset(["script", "style", "xmp", "iframe", "noembed", "noframes"])  # no tags inside
RCDATA = frozenset(["title", "textarea"])  # no tags inside, but entities
