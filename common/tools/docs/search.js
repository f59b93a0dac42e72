// Search of the site, in place of Doxygen's: its pages call this class. It finds sections of pages, and names of the API. index.js, with `sections` and `symbols`, is loaded when the field is first used.
"use strict";

const most_of_a_kind = 25;

// The sections with all of the words, those with the words in their title first, then those where title and page have them.
function sections_with(words) {
  const has = (text) => words.every((word) => text.toLowerCase().includes(word));
  const some = (text) => words.some((word) => text.toLowerCase().includes(word));
  const rank = ([, title, page, text]) => (has(title) ? 0 : some(title) && has(`${title} ${page}`) ? 1 : has(`${title} ${text}`) ? 2 : 3);
  const found = sections.map((section) => [rank(section), section]).filter(([rank]) => rank < 3);
  return found.sort(([a], [b]) => a - b).map(([, [url, title, page]]) => ({ url, title, where: title === page ? "" : page }));
}

// The names with the words: the same name, names that begin so, others. Doxygen writes its names as HTML.
function symbols_with(words) {
  const name = words.join(" ");
  const rank = (title) => (title === name ? 0 : title.startsWith(name) ? 1 : title.includes(name) ? 2 : 3);
  const found = symbols.map(([, [title, ...places]]) => [rank(title.toLowerCase()), title, places]).filter(([rank]) => rank < 3);
  found.sort(([a], [b]) => a - b);
  return found.flatMap(([rank, title, places]) => places.map(([url, , where]) => ({ is_exact: rank === 0, url: url.replace("../", ""), title, where })));
}

function link_to({ url, title, where }) {
  const link = document.createElement("a");
  link.href = url;
  link.innerHTML = title;
  const place = document.createElement("small");
  place.innerHTML = where;
  link.append(" ", place);
  return link;
}

class SearchBox {
  constructor() {
    this.list = null;
  }
  field() {
    return document.getElementById("MSearchField");
  }
  OnSearchFieldFocus(is_active) {
    const field = this.field();
    if (is_active && !this.list) this.load();
    if (is_active && field.value === this.label) field.value = "";
    if (!is_active && field.value === "") field.value = this.label;
  }
  load() {
    const index = document.createElement("script");
    index.src = "search/index.js";
    index.onload = () => this.show();
    this.list = document.createElement("nav");
    this.list.id = "found";
    this.list.setAttribute("aria-label", "Found");
    this.list.onkeydown = (event) => this.step(event);
    document.body.append(index, this.list);
  }
  OnSearchFieldChange(event) {
    if (event.key === "Escape") this.CloseResultsWindow();
    else if (event.key === "ArrowDown") this.list.querySelector("a")?.focus();
    else if (event.key === "Enter") this.list.querySelector("a")?.click();
    else this.show();
  }
  show() {
    const words = this.field().value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    if (words.length === 0 || typeof symbols === "undefined") return this.list.replaceChildren();
    const names = symbols_with(words);
    const kinds = [names.filter((name) => name.is_exact), sections_with(words), names.filter((name) => !name.is_exact)];
    const shown = kinds.flatMap((kind) => kind.slice(0, most_of_a_kind));
    const left = kinds.flat().length - shown.length;
    const rest = document.createElement("p");
    rest.textContent = shown.length === 0 ? "Nothing has these words." : left > 0 ? `${left} more` : "";
    this.list.replaceChildren(...shown.map(link_to), rest);
    this.list.style.top = `${this.field().getBoundingClientRect().bottom + 6}px`;
  }
  // Arrow keys go through the list, and from its first link back to the field.
  step(event) {
    const link = document.activeElement;
    if (event.key === "ArrowDown") link.nextElementSibling?.focus();
    else if (event.key === "ArrowUp") (link.previousElementSibling ?? this.field()).focus();
    else if (event.key === "Escape") this.CloseResultsWindow();
    else return;
    event.preventDefault();
  }
  CloseResultsWindow() {
    this.list?.replaceChildren();
    this.field().value = "";
    this.field().focus();
  }
  // The field's menu of kinds, which this search doesn't have.
  OnSearchSelectShow() {}
  OnSearchSelectHide() {}
  OnSearchSelectKey() {}
}
SearchBox.prototype.label = "Search";

function init_search() {
  searchBox.field().setAttribute("aria-label", "Search");
  searchBox.field().setAttribute("autocomplete", "off");
}
