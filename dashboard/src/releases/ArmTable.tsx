import { formatNumber } from '../lib/format.ts';
import { controlWeight, formatWeight, type Release } from './release.ts';
import { armColors, controlColor } from './SplitBar.tsx';

/** The arms with their shares and, once the service has measured them, their numbers. */
export function ArmTable({ release }: { release: Release }) {
  const { control, arms, progress } = release;
  const rows = [
    { version: control, weight: controlWeight(arms), color: controlColor, isControl: true },
    ...arms.map((arm, index) => ({ ...arm, color: armColors[index] ?? controlColor, isControl: false })),
  ];
  const isEmpty = progress === undefined || progress.arms.every(({ units }) => units === 0);
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section aria-label={`Arms of ${release.label}`} tabIndex={0} className="relative -mx-4 overflow-x-auto px-4 -outline-offset-2">
        <table className="w-full max-w-2xl tabular">
          <thead>
            <tr className="border-line border-b text-right text-ink-3 text-xs">
              <th scope="col" className="py-1.5 pr-3 text-left font-normal">
                Version
              </th>
              <th scope="col" className="py-1.5 pr-3 font-normal">
                Share
              </th>
              {progress && (
                <>
                  <th scope="col" className="py-1.5 pr-3 font-normal" title="Keys with results since the last change of the shares">
                    Units
                  </th>
                  <th scope="col" className="py-1.5 pr-3 font-normal" title="The reported calls of these units">
                    Calls
                  </th>
                  <th scope="col" className="py-1.5 font-normal" title="Reads with a key or by a rule since the start">
                    Reads
                  </th>
                </>
              )}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map(({ version, weight, color, isControl }) => {
              const numbers = progress?.arms.find((arm) => arm.version === version);
              return (
                <tr key={version} className="text-right">
                  <th scope="row" className="py-2 pr-3 text-left font-medium">
                    <span className="flex items-center gap-2">
                      <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ background: color }} />v{version}
                      {isControl && <span className="font-normal text-ink-3 text-xs">control</span>}
                    </span>
                  </th>
                  <td className="py-2 pr-3">{formatWeight(weight)}</td>
                  {progress && (
                    <>
                      <td className="py-2 pr-3">{formatNumber(numbers?.units ?? 0)}</td>
                      <td className="py-2 pr-3">{formatNumber(numbers?.calls ?? 0)}</td>
                      <td className="py-2">{formatNumber(numbers?.reads ?? 0)}</td>
                    </>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {isEmpty && (
        <p className="mt-2 text-ink-3">
          No results yet. They appear when programs report their calls with the release and the key. Calls that start within a minute of a
          change do not count.
        </p>
      )}
      {progress && progress.readsWithoutKey > 0 && (
        <p className="mt-2 text-ink-2 text-xs">
          {formatNumber(progress.readsWithoutKey)} {progress.readsWithoutKey === 1 ? 'read' : 'reads'} without a key got v{control}.
        </p>
      )}
    </div>
  );
}
