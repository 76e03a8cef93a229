import { controlKey } from '../lib/control-key.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Kbd } from '../ui/Kbd.tsx';

const sections: { title: string; shortcuts: [keys: string[], action: string][] }[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      [[controlKey, 'K'], 'Search prompts, pages and actions'],
      [['?'], 'Show these shortcuts'],
      [['Esc'], 'Close a dialog'],
    ],
  },
  {
    title: 'In the prompt list',
    shortcuts: [
      [['J', '↓'], 'Next row'],
      [['K', '↑'], 'Previous row'],
      [['Enter'], 'Open the prompt'],
      [['X'], 'Select (hold Shift to select a range)'],
      [['Esc'], 'Clear the selection'],
      [['/'], 'Search'],
      [['N'], 'New prompt'],
    ],
  },
  {
    title: 'On a prompt',
    shortcuts: [
      [[controlKey, 'S'], 'Save as a new version'],
      [[controlKey, 'Enter'], 'Run on a model'],
    ],
  },
  { title: 'On a proposal', shortcuts: [[['A'], 'Approve']] },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts">
      <div className="space-y-5">
        {sections.map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className="mb-1 font-medium text-ink-3 text-xs">{title}</h3>
            <dl className="divide-y divide-line">
              {shortcuts.map(([keys, action]) => (
                <div key={action} className="flex items-center justify-between gap-4 py-1.5">
                  <dt>{action}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
