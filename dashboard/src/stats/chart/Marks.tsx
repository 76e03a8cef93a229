/** A marked moment of a series, such as a deployment. */
export interface Mark {
  /** The moment, in intervals since the start of the chart. */
  position: number;
  text: string;
}

interface MarksProps {
  marks: Mark[];
  left: number;
  top: number;
  bottom: number;
  step: number;
  /** The width of the chart. */
  width: number;
}

const maxCharacters = 28;
/** The space between a line and its text, and between the text and the next line. */
const textGap = 6;
const gap = 2;

/** A vertical line for each mark, with its text where there is space. The newest marks get their texts first. */
export function Marks({ marks, left, top, bottom, step, width }: MarksProps) {
  let free = width;
  const placed = marks.map(({ position, text }) => ({ x: Math.round(left + position * step) + 0.5, text: shorten(text) })).reverse();
  return (
    <g data-marks={marks.length}>
      {placed.map(({ x, text }, index) => {
        const length = textGap + estimateWidth(text);
        // At the right edge, the text is to the left of its line.
        const isRight = x + length <= width;
        const [start, end] = isRight ? [x, x + length] : [x - length, x];
        const fits = start >= 0 && end <= free;
        free = (fits ? start : x) - gap;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: several labels can move at the same moment.
          <g key={index}>
            <line x1={x} x2={x} y1={top - 14} y2={bottom} stroke="var(--ink-3)" strokeDasharray="2 3" />
            <path d={`M${x - 3.5} ${bottom + 1}h7l-3.5 -5z`} fill="var(--ink-2)" />
            {fits && (
              <text
                x={isRight ? x + textGap : x - textGap}
                y={top - 8}
                textAnchor={isRight ? 'start' : 'end'}
                className="fill-ink-2 text-2xs tabular"
              >
                {text}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** Returns the width of a string in pixels, slightly overestimated. */
function estimateWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (/[mw\u2e80-\uffff]/i.test(character) ? 11 : 6.4), 0);
}

function shorten(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text;
}
