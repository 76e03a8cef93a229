import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { maxModelNameLength } from '../../../src/contract/limits.ts';
import { messageOf } from '../lib/api.ts';
import { cx } from '../lib/cx.ts';
import type { CheckRequest, CheckSummary, Content, ModelConnection } from '../lib/types.ts';
import { mayManage, useWorkspace } from '../lib/workspace.ts';
import { titleOfConnection } from '../models/kinds.ts';
import { connectionsQuery } from '../models/queries.ts';
import { readLastChoice } from '../runs/last-choice.ts';
import { modelOf } from '../runs/run-input.ts';
import { FormError, inputClass } from '../ui/Field.tsx';
import { Select } from '../ui/Select.tsx';

/** The connection and model that run the test cases. */
interface ChosenModel {
  connections: ModelConnection[] | undefined;
  /** The reason why the connections could not be loaded. */
  error: unknown;
  connection: ModelConnection | undefined;
  /** The name of the model. Empty for the default model of the prompt or the connection. */
  model: string;
  choose: (connectionId: string, model: string) => void;
}

/**
 * Starts with the connection and model of the prompt's last check run, if they still exist. If the prompt has no check run, starts with the
 * connection of the last run in this browser. The model of that run is used only if the prompt's config does not specify a model.
 */
export function useChosenModel(content: Content | undefined, last: CheckSummary | undefined): ChosenModel {
  const { data: connections, error } = useQuery(connectionsQuery);
  const [chosen, setChosen] = useState<{ connectionId: string; model: string }>();
  const isUndecided = content !== undefined && modelOf(content.config) === '';
  const { connection: lastConnection, model: lastModel } = readLastChoice();
  const before = last
    ? { connection: last.connection?.id, model: last.model }
    : { connection: lastConnection, model: isUndecided ? lastModel : '' };
  const connectionId = chosen?.connectionId ?? before.connection;
  const connection = connections?.find(({ id }) => id === connectionId) ?? connections?.[0];
  const isSame = connection?.id === connectionId;
  const model = chosen?.model ?? before.model ?? '';
  return {
    connections,
    error: error ?? undefined,
    connection,
    model: isSame && (connection?.models.length === 0 || connection?.models.includes(model)) ? model : '',
    choose: (id, name) => setChosen({ connectionId: id, model: name }),
  };
}

export function requestOf({ connection, model }: ChosenModel): Pick<CheckRequest, 'connection' | 'model'> {
  return { ...(connection && { connection: connection.id }), ...(model !== '' && { model }) };
}

/** Selects a connection and one of its models. */
export function ModelChoice({ chosen: { connections, error, connection, model, choose } }: { chosen: ChosenModel }) {
  const [connectionId, modelId] = [useId(), useId()];
  const canManage = mayManage(useWorkspace());
  if (!connections) return error === undefined ? null : <FormError>{messageOf(error)}</FormError>;
  if (!connection) {
    return (
      <p className="max-w-md text-warn">
        These checks need a model, but none is connected yet.{' '}
        {canManage ? (
          <Link to="/dashboard/settings/models" className="rounded-sm font-medium underline underline-offset-3">
            Connect a model
          </Link>
        ) : (
          'Ask an admin to connect one.'
        )}
      </p>
    );
  }
  return (
    <>
      <div className="min-w-0">
        <label htmlFor={connectionId} className="mb-1.5 block font-medium">
          Connection
        </label>
        <Select id={connectionId} value={connection.id} onChange={(event) => choose(event.target.value, '')}>
          {connections.map((each) => (
            <option key={each.id} value={each.id}>
              {titleOfConnection(each)}
            </option>
          ))}
        </Select>
      </div>
      <div className="min-w-0">
        <label htmlFor={modelId} className="mb-1.5 block font-medium">
          Model
        </label>
        {connection.models.length === 0 ? (
          <input
            id={modelId}
            placeholder="Model from the config"
            maxLength={maxModelNameLength}
            spellCheck={false}
            autoCapitalize="none"
            className={cx(inputClass, 'w-48')}
            value={model}
            onChange={(event) => choose(connection.id, event.target.value.trim())}
          />
        ) : (
          <Select id={modelId} value={model} onChange={(event) => choose(connection.id, event.target.value)}>
            <option value="">Model from the config, or the first in this list</option>
            {connection.models.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </div>
    </>
  );
}
