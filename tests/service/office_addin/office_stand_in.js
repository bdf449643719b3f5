// A stand-in for the calls of Office.js that the pane makes: proxies are empty until they are loaded and synced, and
// nothing happens before a sync. The document is a body and a header; `standInFile` (Python) makes a Word file of them.

(() => {
  const words = globalThis.standInWords; // { body, header }
  const live = []; // ranges move when text before them is replaced
  const log = (globalThis.standInLog = { selected: [], opened: [], tracking: "TrackAll" });

  class Context {
    constructor() { this.queue = []; this.document = new Doc(this); this.application = { createDocument: (data) => ({ open: () => this.queue.push(() => log.opened.push(data)) }) }; }
    async sync() { const queue = this.queue.splice(0); await null; for (const act of queue) act(); }
  }
  class Doc {
    constructor(context) { this.context = context; this.body = new Body(context, "body"); this.sections = new Items(context, () => [{ getHeader: (kind) => new Body(context, kind === "Primary" ? "header" : null), getFooter: () => new Body(context, null) }]); }
    set changeTrackingMode(mode) { this.context.queue.push(() => { log.tracking = mode; }); }
    getSelection() { const loaded = {}; return { load: (name) => this.context.queue.push(() => { loaded[name] = globalThis.standInSelection || ""; }), get text() { if (!("text" in loaded)) throw new Error("PropertyNotLoaded"); return loaded.text; } }; }
  }
  class Items {
    constructor(context, make) { this.context = context; this.make = make; }
    load() { this.context.queue.push(() => { this.loaded = this.make(); }); }
    get items() { if (!this.loaded) throw new Error("PropertyNotLoaded"); return this.loaded; }
  }
  class Body {
    constructor(context, part) { this.context = context; this.part = part; }
    search(asked, options) {
      if (asked.length > 255 || /[\n\r\t]/.test(asked)) throw new Error("SearchStringInvalidOrTooLong");
      const wanted = asked.replaceAll("^^", "^");
      return new Items(this.context, () => {
        const found = [];
        const text = this.part ? words[this.part] : "";
        const [where, what] = options?.matchCase ? [text, wanted] : [text.toLowerCase(), wanted.toLowerCase()];
        for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) found.push(new Range(this.context, this.part, at, at + what.length));
        return found;
      });
    }
  }
  class Range {
    constructor(context, part, start, end) { Object.assign(this, { context, part, start, end }); live.push(this); }
    select() { this.context.queue.push(() => log.selected.push([this.part, this.start, words[this.part].slice(this.start, this.end)])); }
    insertText(text, where) {
      if (where !== "Replace") throw new Error("only Replace");
      this.context.queue.push(() => {
        if (log.tracking !== "Off") throw new Error("a tracked deletion would keep the words");
        const old = words[this.part], shift = text.length - (this.end - this.start), after = this.end;
        words[this.part] = old.slice(0, this.start) + text + old.slice(this.end);
        for (const range of live) if (range !== this && range.part === this.part && range.start >= after) { range.start += shift; range.end += shift; }
        this.end += shift;
      });
    }
  }

  const succeeded = "succeeded";
  globalThis.Word = { run: async (work) => { const context = new Context(); const result = await work(context); await context.sync(); return result; } };
  globalThis.Office = {
    HostType: { Word: "Word" }, FileType: { Compressed: "compressed" }, AsyncResultStatus: { Succeeded: succeeded },
    onReady: (then) => then({ host: "Word", platform: "PC" }),
    context: {
      requirements: { isSetSupported: (name, version) => name === "WordApi" && version <= "1.4" },
      document: {
        getFileAsync: async (type, options, then) => {
          if (type !== "compressed") throw new Error("not the whole file");
          const bytes = Uint8Array.from(atob(await globalThis.standInFile(words.body, words.header)), (one) => one.charCodeAt(0));
          const size = Math.min(options.sliceSize, 5000); // several slices even of a small file
          then({ status: succeeded, value: { sliceCount: Math.ceil(bytes.length / size), closeAsync: (done) => done(),
            getSliceAsync: (number, got) => got({ status: succeeded, value: { data: [...bytes.slice(number * size, (number + 1) * size)] } }) } });
        },
      },
    },
  };
})();
