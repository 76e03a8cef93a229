import type { ReactNode } from 'react';
import type { Statistics } from '../lib/types.ts';
import { ArmBadges } from '../releases/PeriodReleases.tsx';
import { Badge, LabelBadge } from '../ui/Badge.tsx';
import { BreakdownTable, NumberCell, ShareBar } from './BreakdownTable.tsx';
import type { Layer } from './chart/Bars.tsx';
import { versionName } from './version-layers.ts';

/** The versions served, with the colors of the chart. */
export function ByVersion({ stats: { byVersion = [], releases = [] }, colors }: { stats: Statistics; colors: Layer[] }) {
  const most = Math.max(1, ...byVersion.map(({ calls }) => calls));
  const colorOf = (name: string) => colors.find((layer) => layer.name === name)?.color ?? 'var(--chart-other)';
  return (
    <BreakdownTable title="By version and label" columns={['Version', 'Calls', 'Errors']} empty="No calls in this period.">
      {byVersion.map(({ version, label, calls, errors }) => (
        <tr key={`${version} ${label}`} className="align-top">
          <td className="py-2.5 pr-3 pl-4">
            <span className="flex items-center gap-2">
              <span aria-hidden className="size-2 rounded-xs" style={{ background: colorOf(versionName({ version, label })) }} />
              {label === null ? <Badge>v{version}</Badge> : <LabelBadge label={label} version={version} />}
              {label !== null && <ArmBadges releases={releases} version={version} label={label} />}
            </span>
            <ShareBar share={calls / most} />
          </td>
          <NumberCell value={calls} />
          <NumberCell value={errors} danger />
        </tr>
      ))}
    </BreakdownTable>
  );
}

type ErrorCause = NonNullable<Statistics['errors']>[number];

export function ErrorCauses({ errors }: { errors: ErrorCause[] }) {
  return (
    <BreakdownTable
      title="Why renders failed"
      columns={['Cause', 'Calls']}
      empty="Nothing failed in this period."
      {...(errors.length > 1 && { note: 'A call with several missing variables is counted once for each variable.' })}
    >
      {errors.map((cause) => (
        <tr key={`${cause.code} ${cause.name}`}>
          <td className="py-2 pr-3 pl-4">{describeCause(cause)}</td>
          <NumberCell value={cause.calls} danger />
        </tr>
      ))}
    </BreakdownTable>
  );
}

function describeCause({ code, name }: ErrorCause): ReactNode {
  const shown = name !== null && <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-xs break-all">{name}</code>;
  switch (code) {
    case 'missing_variables':
      return shown ? <>The variable {shown} was missing</> : 'Other variables were missing';
    case 'unresolved_partial':
      return shown ? (
        <>The prompt {shown} could not be included</>
      ) : (
        'There were too many included prompts, or they were nested too deeply or too long'
      );
    case 'render_failed':
      return 'The template failed with the given values';
    case 'template_too_costly':
      return 'The template needed too much time or memory';
    default:
      return <code className="font-mono text-xs">{code}</code>;
  }
}
