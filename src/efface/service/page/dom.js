// Building the page. Text only ever becomes text nodes, so nothing in a document can become markup.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// New content for an element; what is empty is left out.
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
}

const SVG = "http://www.w3.org/2000/svg";
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function say(text) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.toggle("shown", Boolean(text));
  clearTimeout(say.timer);
  if (text) say.timer = setTimeout(() => say(""), 6000);
}

// A dialog that answers with its form's values, or null when it is closed.
export function ask(title, fields, action = "OK") {
  return new Promise((resolve) => {
    const inputs = fields.map((field) => {
      const input = field.options
        ? h("select", { name: field.name, onkeydown: (event) => { if (event.key === "Enter") { event.preventDefault(); form.requestSubmit(); } } }, field.options.map((option) => [option].flat()).map(([value, name = value]) => h("option", { value }, name)))
        : h(field.long ? "textarea" : "input", { name: field.name, type: field.type, maxlength: 2000, required: field.required, autocomplete: "off", rows: 3 });
      if (field.value) input.value = field.value;
      return input;
    });
    const close = (answer) => { dialog.close(); dialog.remove(); resolve(answer); };
    const form = h("form", { onsubmit: (event) => {
      event.preventDefault();
      close(Object.fromEntries(inputs.map((input) => [input.name, input.value])));
    } },
    h("h2", { id: "ask-title" }, title),
    fields.map((field, at) => h("label", {}, h("span", {}, field.label), inputs[at], field.chips ? h("span", { class: "chips" }, field.chips.map((chip) =>
      h("button", { type: "button", class: "chip", onclick: () => { inputs[at].value = chip; inputs[at].focus(); } }, chip))) : null)),
    h("div", { class: "row end" }, h("button", { type: "button", onclick: () => close(null) }, "Cancel"), h("button", { class: "primary" }, action)));
    const dialog = h("dialog", { "aria-labelledby": "ask-title", oncancel: (event) => { event.preventDefault(); close(null); } }, form);
    document.body.append(dialog);
    dialog.showModal();
    inputs[0]?.focus();
  });
}

export function tell(title, ...content) {
  const dialog = h("dialog", { "aria-labelledby": "tell-title", onclose: () => dialog.remove() },
    h("h2", { id: "tell-title" }, title), content,
    h("div", { class: "row end" }, h("button", { class: "primary", autofocus: true, onclick: () => dialog.close() }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0; // the focus is on the last line
}

export const ago = (seconds) => new Date(seconds * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

// A text as paragraphs. The markup of a page leaves many empty lines behind one another: one of them is enough.
export function paragraphs(text) {
  const lines = text.split("\n");
  const told = lines.filter((line, at) => line.trim() || (at > 0 && lines[at - 1].trim()));
  return told.map((line) => h("p", { class: "line", dir: "auto" }, line));
}
