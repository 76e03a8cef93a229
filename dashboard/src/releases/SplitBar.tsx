import { controlWeight, formatWeight, type LabelRelease } from './release.ts';

/** The colors of the arms, in their order. */
export const armColors = ['var(--chart-1)', 'var(--chart-2)', 'var(--chart-3)', 'var(--chart-4)'];
export const controlColor = 'var(--chart-other)';

/** Draws how a release divides the callers. */
export function SplitBar({ control, arms }: Pick<LabelRelease, 'control' | 'arms'>) {
  const parts = [
    ...arms.map(({ version, weight }, index) => ({ version, weight, color: armColors[index] ?? controlColor })),
    { version: control, weight: controlWeight(arms), color: controlColor },
  ];
  const text = parts.map(({ version, weight }) => `v${version} ${formatWeight(weight)}`).join(', ');
  return (
    <div role="img" aria-label={`Shares: ${text}`} className="flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-hover">
      {parts.map(
        ({ version, weight, color }) =>
          weight > 0 && <span key={version} className="h-full min-w-1" style={{ flexGrow: weight, flexBasis: 0, background: color }} />,
      )}
    </div>
  );
}
