export interface Layer {
  name: string;
  color: string;
  values: number[];
}

interface BarsProps {
  layers: Layer[];
  unfinished: number;
  left: number;
  step: number;
  yOf: (value: number) => number;
  hatchId: string;
}

/** The minimum height, so that small values stay visible. */
const minHeight = 1.5;
const maxWidth = 72;

/**
 * Draws each layer as one path, because separate elements for the 720 hours of a month would be slow. The interval in progress is hatched.
 */
export function Bars({ layers, unfinished, left, step, yOf, hatchId }: BarsProps) {
  const gap = step > 5 ? Math.max(step - maxWidth, step * 0.25) : step > 2.5 ? 1 : 0;
  const bars = layers.map(() => ({ whole: '', hatched: '' }));
  for (let index = 0; index < (layers[0]?.values.length ?? 0); index += 1) {
    let base = yOf(0);
    let sum = 0;
    layers.forEach(({ values }, layer) => {
      const value = values[index] ?? 0;
      if (value === 0) return;
      sum += value;
      const y = Math.min(yOf(sum), base - minHeight);
      const path = `M${round(left + index * step + gap / 2)} ${round(base)}V${round(y)}h${round(step - gap)}V${round(base)}z`;
      const bar = bars[layer];
      if (bar) bar[index === unfinished ? 'hatched' : 'whole'] += path;
      base = y;
    });
  }
  return (
    <>
      <defs>
        {layers.map(({ name, color }, layer) => (
          <pattern key={name} id={`${hatchId}${layer}`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="5" height="5" fill={color} opacity="0.28" />
            <rect width="2" height="5" fill={color} opacity="0.9" />
          </pattern>
        ))}
      </defs>
      {layers.map(({ name, color }, layer) => (
        <g key={name}>
          <path d={bars[layer]?.whole} fill={color} shapeRendering={gap === 0 ? 'auto' : 'crispEdges'} />
          <path d={bars[layer]?.hatched} fill={`url(#${hatchId}${layer})`} data-unfinished={bars[layer]?.hatched ? true : undefined} />
        </g>
      ))}
    </>
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
