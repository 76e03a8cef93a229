import { useState } from 'react';
import { inputClass } from '../ui/Field.tsx';

interface OfferedModelsProps {
  offered: string[];
  chosen: string[];
  onChange: (models: string[]) => void;
}

const manyModels = 10;
const maxShown = 100;

/** Lists the models of a server, so that the user can allow some of them. */
export function OfferedModels({ offered, chosen, onChange }: OfferedModelsProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const missing = chosen.filter((model) => !offered.includes(model));
  const found = [...missing, ...offered].filter((model) => model.toLowerCase().includes(wanted));
  const toggle = (model: string, isChosen: boolean) => onChange(isChosen ? [...chosen, model] : chosen.filter((each) => each !== model));
  return (
    <fieldset className="mt-4 min-w-0">
      <legend className="mb-1.5 font-medium">Allowed models</legend>
      {offered.length > manyModels && (
        <input
          type="search"
          aria-label="Find a model"
          placeholder="Find a model"
          className={`${inputClass} mb-2`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <ul className="max-h-56 overflow-y-auto rounded-md border border-line bg-sunken py-1">
        {found.slice(0, maxShown).map((model) => (
          <li key={model}>
            <label className="flex cursor-pointer items-center gap-2 px-3 py-1 hover:bg-hover">
              <input
                type="checkbox"
                className="accent-accent"
                checked={chosen.includes(model)}
                onChange={(event) => toggle(model, event.target.checked)}
              />
              <span className="min-w-0 truncate font-mono text-xs" title={model}>
                {model}
              </span>
              {missing.includes(model) && <span className="shrink-0 text-warn text-xs">not offered</span>}
            </label>
          </li>
        ))}
        {found.length === 0 && <li className="px-3 py-1 text-ink-3">No model matches.</li>}
        {found.length > maxShown && <li className="px-3 py-1 text-ink-3 text-xs">and {found.length - maxShown} more; search for them</li>}
      </ul>
      <p className="mt-1.5 text-ink-3 text-xs">
        {chosen.length === 0 ? 'No model selected: all models are allowed.' : `The default is ${chosen[0]}, the first one selected.`}
      </p>
    </fieldset>
  );
}
