import { ArmRows, ReadsWithoutKey, unitColumns } from './ArmRows.tsx';
import { controlWeight, type Release } from './release.ts';

/** The arms with their shares and, once the service has measured them, their numbers. */
export function ArmTable({ release }: { release: Release }) {
  const { label, control, arms, progress } = release;
  const isEmpty = progress === undefined || progress.arms.every(({ units }) => units === 0);
  return (
    <div>
      {progress ? (
        <ArmRows label={label} rows={progress.arms} columns={[...unitColumns, readsSinceStart]} />
      ) : (
        <ArmRows label={label} rows={[{ version: control, weight: controlWeight(arms) }, ...arms]} columns={[]} />
      )}
      {isEmpty && (
        <p className="mt-2 text-ink-3">
          No results yet. They appear when programs report their calls with the release and the key. Calls that start within a minute after
          the shares change do not count.
        </p>
      )}
      {progress && <ReadsWithoutKey reads={progress.readsWithoutKey} control={control} />}
    </div>
  );
}

const readsSinceStart = {
  field: 'reads',
  title: 'Reads',
  hint: 'Requests for the prompt since the release started, in which the key (such as a user ID) or a rule chose this version',
} as const;
