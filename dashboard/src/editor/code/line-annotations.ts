import { type Extension, type Range, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from '@codemirror/view';

/** The annotations below lines, and the action that every line offers. */
interface LineAnnotations {
  /** The name of the text, for screen readers. */
  title: string;
  /** Called when the user wants to add something to a line. Undefined if the user may not add anything. */
  onAdd: ((line: number) => void) | undefined;
  /** Called with the elements to fill, by line. */
  onSlots: (slots: ReadonlyMap<number, HTMLElement>) => void;
}

const setLines = StateEffect.define<number[]>();

/** Reserves room below some lines of a read-only text, and adds a button to every line. */
export function annotateLines({ title, onAdd, onSlots }: LineAnnotations): Extension {
  const slots = new Map<number, HTMLElement>();
  const change = (act: () => void) => {
    act();
    onSlots(new Map(slots));
  };
  return [
    StateField.define<DecorationSet>({
      create: () => Decoration.none,
      update(current, { effects, state }) {
        const changed = effects.find((effect) => effect.is(setLines));
        if (!changed) return current;
        const lines = changed.value.filter((line) => line <= state.doc.lines);
        return Decoration.set(
          lines.map((line) =>
            Decoration.widget({ widget: new Slot(line, slots, change), block: true, side: 1 }).range(state.doc.line(line).to),
          ),
          true,
        );
      },
      provide: (field) => EditorView.decorations.from(field),
    }),
    onAdd ? addButtons(title, onAdd) : [],
    annotationTheme,
  ];
}

/** Shows annotations below these lines, and expands collapsed lines that have an annotation. */
export function showAnnotations(view: EditorView, lines: number[]): void {
  view.dispatch({ effects: setLines.of(lines) });
  for (const line of lines.filter((number) => number <= view.state.doc.lines)) {
    const { from } = view.state.doc.line(line);
    for (const collapsed of view.contentDOM.querySelectorAll<HTMLElement>('.cm-collapsedLines')) {
      const block = view.lineBlockAt(view.posAtDOM(collapsed));
      // The click also expands the lines on the other side.
      if (block.from <= from && from <= block.to) collapsed.click();
    }
  }
}

/** An element below a line, which React fills. */
class Slot extends WidgetType {
  readonly line: number;
  readonly slots: Map<number, HTMLElement>;
  readonly change: (act: () => void) => void;

  constructor(line: number, slots: Map<number, HTMLElement>, change: (act: () => void) => void) {
    super();
    this.line = line;
    this.slots = slots;
    this.change = change;
  }

  override eq(other: Slot): boolean {
    return other.line === this.line && other.slots === this.slots;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('div');
    element.className = 'cm-lineAnnotation';
    this.change(() => this.slots.set(this.line, element));
    return element;
  }

  override destroy(element: HTMLElement): void {
    if (this.slots.get(this.line) === element) this.change(() => this.slots.delete(this.line));
  }
}

/** Adds a button to every line. The Tab key stops only at one of the buttons, and the arrow keys move to the others. */
function addButtons(title: string, onAdd: (line: number) => void): Extension {
  return ViewPlugin.define(
    (view) => ({
      buttons: createButtons(view, title, onAdd),
      update({ docChanged, viewportChanged, view: updated }) {
        if (docChanged || viewportChanged) this.buttons = createButtons(updated, title, onAdd);
      },
    }),
    { decorations: ({ buttons }) => buttons },
  );
}

function createButtons({ state, visibleRanges }: EditorView, title: string, onAdd: (line: number) => void): DecorationSet {
  const buttons: Range<Decoration>[] = [];
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; at = state.doc.lineAt(at).to + 1) {
      const { from: start, number } = state.doc.lineAt(at);
      const widget = new AddButton({ line: number, title, onAdd, isStop: buttons.length === 0 });
      buttons.push(Decoration.widget({ widget, side: -1 }).range(start));
    }
  }
  return Decoration.set(buttons, true);
}

class AddButton extends WidgetType {
  readonly line: number;
  readonly title: string;
  readonly onAdd: (line: number) => void;
  readonly isStop: boolean;

  constructor({ line, title, onAdd, isStop }: { line: number; title: string; onAdd: (line: number) => void; isStop: boolean }) {
    super();
    this.line = line;
    this.title = title;
    this.onAdd = onAdd;
    this.isStop = isStop;
  }

  override eq(other: AddButton): boolean {
    return other.line === this.line && other.onAdd === this.onAdd && other.isStop === this.isStop;
  }

  override toDOM(view: EditorView): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'cm-addToLine';
    button.tabIndex = this.isStop ? 0 : -1;
    button.title = 'Comment on this line';
    button.setAttribute('aria-label', `Comment on line ${this.line} of ${this.title}`);
    button.addEventListener('click', () => this.onAdd(this.line));
    button.addEventListener('keydown', (event) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const all = [...view.contentDOM.querySelectorAll<HTMLElement>('.cm-addToLine')];
      all[all.indexOf(button) + step]?.focus();
    });
    return button;
  }
}

const annotationTheme = EditorView.theme({
  '.cm-line': { position: 'relative' },
  '.cm-lineAnnotation': { fontFamily: 'var(--font-sans)', lineHeight: 'normal', whiteSpace: 'normal', padding: '4px 12px 8px' },
  '.cm-addToLine': {
    position: 'absolute',
    insetInlineEnd: '4px',
    top: '0',
    width: '24px',
    height: '20px',
    opacity: '0',
    borderRadius: '6px',
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
    fontFamily: 'var(--font-sans)',
    fontWeight: '600',
  },
  '.cm-addToLine::before': { content: '"+"' },
  '.cm-line:hover > .cm-addToLine, .cm-addToLine:focus-visible': { opacity: '1' },
  '@media (hover: none)': { '.cm-addToLine': { opacity: '0.6' } },
});
