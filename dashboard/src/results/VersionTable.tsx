import { type ReactNode, useState } from 'react';
import { formatNumber } from '../lib/format.ts';
import type { Prompt, PromptResults } from '../lib/types.ts';
import { ArmBadges } from '../releases/PeriodReleases.tsx';
import { activeRelease } from '../releases/release.ts';
import { Badge, LabelBadge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';
import { missing, type Score } from './format.ts';
import { findScore, listScores } from './scores.ts';
import { Cost, CostPerCall, Duration, ErrorRate, ScoreValue, scaleOf, Tokens } from './Values.tsx';

type Row = PromptResults['versions'][number];

const firstRows = 12;
const firstScores = 6;

interface VersionTableProps {
  prompt: Pick<Prompt, 'labels' | 'latestVersion' | 'releases'>;
  versions: Row[];
  releases: PromptResults['releases'];
}

/** Shows the versions side by side, newest first. The newest version and the deployed versions are always visible. */
export function VersionTable({ prompt, versions, releases }: VersionTableProps) {
  const [hasAllRows, setAllRows] = useState(false);
  const [hasAllScores, setAllScores] = useState(false);
  const deployed = new Set(Object.values(prompt.labels));
  const rows = versions.filter(({ version }, index) => hasAllRows || index < firstRows || (version !== null && deployed.has(version)));
  const listed = listScores(versions);
  const scores = hasAllScores ? listed : listed.slice(0, firstScores);
  const errorScale = scaleOf(
    rows.map(({ errorRate, calls }) => errorRate && { ...errorRate, count: calls }),
    0,
  );
  const columns = scores.map((score) => ({ ...score, scale: scaleOf(rows.map((row) => boundsOf(findScore(row, score)))) }));
  const hasFirstChunks = versions.some(({ firstChunkMs }) => firstChunkMs.p50 !== null);
  return (
    <Card className="overflow-hidden">
      <div className="px-4 pt-3.5 pb-1">
        <h2 className="font-semibold text-sm">Versions side by side</h2>
        <p className="text-ink-3 text-xs">
          The bars are 95% confidence intervals. If the bars of two versions overlap, the difference may be due to chance.
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard. */}
      <section aria-label="Versions side by side" tabIndex={0} className="relative overflow-x-auto -outline-offset-2">
        <table className="w-full">
          <thead>
            <tr className="border-line border-b text-right text-ink-3 text-xs">
              <Heading isFirst>Version</Heading>
              <Heading>Calls</Heading>
              <Heading>Errors</Heading>
              <Heading title="Half of the successful calls took at most this long">p50</Heading>
              <Heading title="95% of the successful calls took at most this long">p95</Heading>
              {hasFirstChunks && <Heading title="The median time to the first chunk of the response">First chunk</Heading>}
              <Heading>Tokens</Heading>
              <Heading title="The mean over the calls whose cost is known, and the total">Cost per call</Heading>
              {columns.map(({ key, name, type }) => (
                <Heading key={key} title={name}>
                  <span dir="auto" className="inline-block max-w-32 truncate align-bottom">
                    {name}
                  </span>
                  {type !== undefined && <span className="block">{type}</span>}
                </Heading>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((row) => (
              <tr key={row.version} className="align-top">
                <th scope="row" className="sticky left-0 z-1 max-w-36 bg-surface py-2.5 pr-3 pl-4 text-left font-normal sm:max-w-56">
                  <VersionName version={row.version} prompt={prompt} releases={releases} />
                </th>
                <Cell>{formatNumber(row.calls)}</Cell>
                <Cell>
                  <ErrorRate sums={row} scale={errorScale} />
                </Cell>
                <Cell>
                  <Duration value={row.durationMs.p50} />
                </Cell>
                <Cell>
                  <Duration value={row.durationMs.p95} />
                </Cell>
                {hasFirstChunks && (
                  <Cell>
                    <Duration value={row.firstChunkMs.p50} why={missing.firstChunk} />
                  </Cell>
                )}
                <Cell>
                  <Tokens sums={row} />
                </Cell>
                <Cell>
                  <CostPerCall value={row.costPerCall} />
                  {row.costPerCall !== null && (
                    <span className="block text-ink-3">
                      <Cost sums={row} /> total
                    </span>
                  )}
                </Cell>
                {columns.map(({ scale, ...score }) => (
                  <Cell key={score.key}>
                    <ScoreValue score={findScore(row, score)} scale={scale} />
                  </Cell>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div className="flex flex-wrap divide-x divide-line border-line border-t empty:hidden">
        {versions.length > firstRows && (
          <More
            isOpen={hasAllRows}
            onToggle={() => setAllRows(!hasAllRows)}
            all={`all ${versions.length} versions`}
            fewer="fewer versions"
          />
        )}
        {listed.length > firstScores && (
          <More
            isOpen={hasAllScores}
            onToggle={() => setAllScores(!hasAllScores)}
            all={`all ${listed.length} scores`}
            fewer="fewer scores"
          />
        )}
      </div>
    </Card>
  );
}

function Heading({ isFirst = false, title, children }: { isFirst?: boolean; title?: string; children: ReactNode }) {
  return (
    <th
      scope="col"
      title={title}
      className={`py-1.5 font-normal whitespace-nowrap ${isFirst ? 'sticky left-0 z-1 bg-surface pr-3 pl-4 text-left' : 'pr-3 pl-2 last:pr-4'}`}
    >
      {children}
    </th>
  );
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="py-2.5 pr-3 pl-2 text-right whitespace-nowrap tabular last:pr-4">{children}</td>;
}

function More({ isOpen, onToggle, all, fewer }: { isOpen: boolean; onToggle: () => void; all: string; fewer: string }) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      className="flex-1 px-4 py-2 text-left font-medium text-accent-ink text-xs -outline-offset-2 hover:bg-hover"
      onClick={onToggle}
    >
      Show {isOpen ? fewer : all}
    </button>
  );
}

/** A version with the labels that point at it. */
function VersionName({ version, prompt, releases }: Pick<VersionTableProps, 'prompt' | 'releases'> & { version: number | null }) {
  const { labels, latestVersion } = prompt;
  if (version === null) {
    return (
      <span className="text-ink-3" title="These calls were reported without a version">
        No version
      </span>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-1">
      <span className="mr-0.5 font-medium tabular">v{version}</span>
      {Object.entries(labels).map(
        ([label, pointsAt]) => pointsAt === version && <LabelBadge key={label} label={label} release={activeRelease(prompt, label)} />,
      )}
      <ArmBadges releases={releases} version={version} />
      {version === latestVersion && <Badge>newest</Badge>}
    </span>
  );
}

function boundsOf(score: Score | undefined): { low: number; high: number; count: number } | null {
  return score?.low == null || score.high === null ? null : { low: score.low, high: score.high, count: score.count };
}
