import { Segmented } from '../ui/Segmented.tsx';
import type { RunPlace } from './use-run-session.ts';

const views = [
  { value: 'preview', label: 'Preview' },
  { value: 'run', label: 'Run' },
] as const;

/** Switches between the rendered prompt and a model's output. */
export function OutputChoice({ place: { isShown, show } }: { place: RunPlace }) {
  return <Segmented label="Show" value={isShown ? 'run' : 'preview'} options={views} onChange={(view) => show(view === 'run')} />;
}
