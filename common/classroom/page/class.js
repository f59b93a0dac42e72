// The page: summary, map, causes, what is undecided.

function build() {
  head();
  const sections = [summary_section(), map_section(), causes_section(), undecided_section()];
  document.getElementById("content").replaceChildren(...sections);
  document.body.append(details_dialog());
  show_map();
  document.getElementById("contents").append(html("ul", null, sections.map((section) => html("li", null, html("a", { href: `#${section.id}` }, section.querySelector("h2").textContent)))));
  document.getElementById("foot").append("One file; it loads nothing.");
}

build();
