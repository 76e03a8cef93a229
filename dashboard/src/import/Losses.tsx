import { plural } from '../lib/format.ts';
import { Card } from '../ui/Card.tsx';

/** Lists the parts of another service's prompts that could not be imported. */
export function Losses({ losses }: { losses: string[] }) {
  if (losses.length === 0) return null;
  return (
    <Card>
      <details className="px-4 py-3">
        <summary className="cursor-pointer font-medium">{plural(losses.length, 'remark')}</summary>
        <ul className="mt-2 max-h-60 space-y-1 overflow-y-auto text-ink-2 text-xs">
          {losses.slice(0, 500).map((loss) => (
            <li key={loss} dir="auto" className="break-words">
              {loss}
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
