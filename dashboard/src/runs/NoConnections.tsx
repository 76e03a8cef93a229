import { Link } from '@tanstack/react-router';
import { mayEdit, mayManage, useWorkspace } from '../lib/workspace.ts';
import { buttonClass } from '../ui/Button.tsx';

/** Explains why nothing can be run yet, and what the user can do. */
export function NoConnections() {
  const workspace = useWorkspace();
  if (!mayEdit(workspace)) return <p className="text-ink-2">You need the editor role to run prompts. Your role is {workspace.role}.</p>;
  return (
    <div className="space-y-3">
      <p className="text-ink-2">
        No model is connected yet. PromptHarbor works with Anthropic, Gemini and any server with an OpenAI-compatible API, including one on
        your own machine.
        {!mayManage(workspace) && ' An admin of the workspace can connect one.'}
      </p>
      {mayManage(workspace) && (
        <Link to="/dashboard/settings/models" className={buttonClass('primary')}>
          Connect a model
        </Link>
      )}
    </div>
  );
}
