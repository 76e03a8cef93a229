import { hasOption, type Input } from '../command.ts';
import { connect, getWorkspace } from '../connection.ts';
import { formatTable, print, printJson } from '../terminal.ts';

export async function whoami(input: Input): Promise<void> {
  const ph = await connect(input);
  const { userId, email, name } = await ph.auth.verify();
  const workspace = await getWorkspace(ph, input);
  if (hasOption(input, 'json')) {
    return printJson({ url: ph.baseUrl, userId, email, name, workspace: { id: workspace.id, name: workspace.name, role: workspace.role } });
  }
  print(
    formatTable([
      ['Service', ph.baseUrl],
      ['Account', `${name} <${email}>`],
      ['Workspace', `${workspace.name} (${workspace.id})`],
      ['Role', workspace.role],
    ]),
  );
}
