import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { loadChunk } from './lib/chunks.ts';
import { openWorkspaceOf } from './lib/current-workspace.ts';
import { queryClient } from './lib/query-client.ts';
import { safeNext } from './lib/safe-next.ts';
import { awaitsFirstAccount, sessionQuery } from './lib/session.ts';
import { type PromptFilters, parseFilters } from './prompts/filter-search.ts';
import { RouteProblem } from './shell/RouteProblem.tsx';
import { parseStatsSearch, type StatsSearch } from './stats/search.ts';

const notFound = () => import('./shell/NotFoundPage.tsx');
const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: page(notFound, 'LostPage'), errorComponent: RouteProblem });

/** Sends signed-in users to the dashboard. */
async function skipWhenSignedIn({ search }: { search: { next?: string } }): Promise<void> {
  if (await queryClient.ensureQueryData(sessionQuery)) throw redirect({ href: safeNext(search.next) });
}

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: strings('next', 'problem'),
  beforeLoad: skipWhenSignedIn,
  component: page(() => import('./auth/LoginPage.tsx'), 'LoginPage'),
});
const signupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/signup',
  validateSearch: strings('next'),
  beforeLoad: skipWhenSignedIn,
  component: page(() => import('./auth/SignupPage.tsx'), 'SignupPage'),
});
const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset',
  validateSearch: strings('token'),
  component: page(() => import('./auth/ResetPage.tsx'), 'ResetPage'),
});
const verifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/verify',
  validateSearch: strings('token'),
  component: page(() => import('./auth/VerifyPage.tsx'), 'VerifyPage'),
});
const confirmEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm-email',
  validateSearch: strings('token'),
  component: page(() => import('./auth/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
});
const cliRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/cli',
  validateSearch: strings('code'),
  component: page(() => import('./auth/CliSignInPage.tsx'), 'CliSignInPage'),
});
const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitations/$token',
  component: page(() => import('./invitations/InvitationPage.tsx'), 'InvitationPage'),
});

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dashboard',
  // Every link names the workspace, so that it opens the same page for everyone who may see it.
  validateSearch: (search): { workspace?: string } => strings('workspace')(search),
  search: { middlewares: [({ search, next }) => ({ workspace: search.workspace, ...next(search) })] },
  beforeLoad: async ({ location, search: { workspace } }) => {
    const user = await queryClient.ensureQueryData(sessionQuery);
    const search = location.href === '/dashboard' ? {} : { next: location.href };
    if (!user) throw redirect({ to: awaitsFirstAccount() ? '/signup' : '/login', search });
    openWorkspaceOf(user.userId, workspace);
  },
  component: page(() => import('./shell/Shell.tsx'), 'Shell'),
  notFoundComponent: page(notFound, 'NotFoundPage'),
});

const statsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  validateSearch: (search): StatsSearch => parseStatsSearch(search),
  component: page(() => import('./stats/StatsPage.tsx'), 'StatsPage'),
});
const promptsRoute = createRoute({ getParentRoute: () => appRoute, path: '/prompts' });
const promptListRoute = createRoute({
  getParentRoute: () => promptsRoute,
  path: '/',
  validateSearch: (search): PromptFilters => parseFilters(search),
  component: page(() => import('./prompts/PromptsPage.tsx'), 'PromptsPage'),
});
const plainViews = ['runs', 'compare', 'history', 'candidates', 'releases', 'checks', 'dependencies', 'code'] as const;
/** Maps earlier names of views to the current names, so that old links keep working. */
const earlierViews: Record<string, (typeof plainViews)[number]> = { includes: 'dependencies', use: 'code' };

interface PromptSearch extends StatsSearch {
  view?: (typeof plainViews)[number] | 'results' | 'stats';
  /** The candidate that is open in place of the newest version. */
  candidate?: string;
  /** The run that is open. */
  run?: string;
  /** The versions that the history compares. */
  from?: number;
  to?: number;
  /** The check run to show, and the check run to compare it with. */
  check?: string;
  against?: string;
}

const promptRoute = createRoute({
  getParentRoute: () => promptsRoute,
  // A name may contain slashes, as in support/triage.
  path: '$',
  validateSearch: (search): PromptSearch => ({
    ...findPlainView(search.view),
    ...strings('candidate')(search),
    ...(search.view === 'runs' && strings('run')(search)),
    ...(search.view === 'checks' && strings('check', 'against')(search)),
    ...((search.view === 'stats' || search.view === 'results') && { view: search.view, ...parseStatsSearch(search) }),
    ...(isVersion(search.from) && { from: search.from }),
    ...(isVersion(search.to) && { to: search.to }),
  }),
  component: page(() => import('./editor/PromptPage.tsx'), 'PromptPage'),
});
const newPromptRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/new',
  validateSearch: strings('folder', 'name'),
  component: page(() => import('./prompts/NewPromptPage.tsx'), 'NewPromptPage'),
});
const importRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/import',
  validateSearch: strings('folder'),
  component: page(() => import('./import/ImportPage.tsx'), 'ImportPage'),
});
const binRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/bin',
  component: page(() => import('./prompts/BinPage.tsx'), 'BinPage'),
});
const proposals = () => import('./proposals/pages.ts');
const proposalsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/proposals',
  validateSearch: ({ show }): { show?: 'open' | 'ended' } => (show === 'open' || show === 'ended' ? { show } : {}),
  component: page(proposals, 'ProposalsPage'),
});
const proposalRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/proposals/$id',
  component: page(proposals, 'ProposalPage'),
});

const settings = () => import('./settings/pages.ts');
const webhooks = () => import('./webhooks/pages.ts');
const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/settings',
  // The pages of webhooks have a separate chunk, so that they load without the other pages.
  component: page(() => import('./settings/SettingsLayout.tsx'), 'SettingsLayout'),
});
const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  component: page(settings, 'ProfilePage'),
});
const apiKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/api-keys',
  component: page(settings, 'ApiKeysPage'),
});
const connectRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/connect',
  component: page(() => import('./connect/ConnectPage.tsx'), 'ConnectPage'),
});
const workspaceRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/workspace',
  component: page(() => import('./workspace/WorkspacePage.tsx'), 'WorkspacePage'),
});
const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  component: page(() => import('./members/MembersPage.tsx'), 'MembersPage'),
});
const labelsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/labels',
  component: page(() => import('./settings/LabelsPage.tsx'), 'LabelsPage'),
});
const webhooksRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks',
  component: page(webhooks, 'WebhooksPage'),
});
const webhookRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/webhooks/$id',
  component: page(webhooks, 'WebhookPage'),
});
const modelsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/models',
  component: page(() => import('./models/ModelsPage.tsx'), 'ModelsPage'),
});
type ActivityFilter = 'by' | 'type' | 'prompt' | 'from' | 'to';
const activityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/activity',
  // The page parses these parameters itself, so that other pages load without the parser.
  validateSearch: ({ by, type, prompt, from, to }): Partial<Record<ActivityFilter, unknown>> => ({ by, type, prompt, from, to }),
  component: page(() => import('./activity/ActivityPage.tsx'), 'ActivityPage'),
});
const securityRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/security',
  validateSearch: strings('problem'),
  component: page(() => import('./settings/SecurityPage.tsx'), 'SecurityPage'),
});
const notificationsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/notifications',
  component: page(() => import('./notifications/NotificationsPage.tsx'), 'NotificationsPage'),
});
const appearanceRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/appearance',
  component: page(settings, 'AppearancePage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    loginRoute,
    signupRoute,
    resetRoute,
    verifyRoute,
    confirmEmailRoute,
    cliRoute,
    invitationRoute,
    appRoute.addChildren([
      statsRoute,
      promptsRoute.addChildren([promptListRoute, promptRoute]),
      newPromptRoute,
      importRoute,
      binRoute,
      proposalsRoute,
      proposalRoute,
      settingsRoute.addChildren([
        profileRoute,
        workspaceRoute,
        membersRoute,
        labelsRoute,
        webhooksRoute,
        webhookRoute,
        modelsRoute,
        apiKeysRoute,
        connectRoute,
        activityRoute,
        securityRoute,
        notificationsRoute,
        appearanceRoute,
      ]),
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Returns a page that is loaded when it is visited, or when the user is about to follow a link to it. */
function page<T extends object, K extends keyof T & string>(load: () => Promise<T>, name: K) {
  return lazyRouteComponent(() => loadChunk(load), name);
}

function findPlainView(value: unknown): Pick<PromptSearch, 'view'> | undefined {
  const view = plainViews.find((each) => each === value) ?? earlierViews[String(value)];
  return view && { view };
}

/** Returns a function that reads string parameters of a URL. The parameter `problem` says why a sign-in at a provider failed. */
function strings<Name extends string>(...names: Name[]) {
  return (search: Record<string, unknown>): { [Key in Name]?: string } => {
    const found = names.filter((name) => typeof search[name] === 'string').map((name) => [name, search[name]]);
    // The values of these names are strings.
    return Object.fromEntries(found) as { [Key in Name]?: string };
  };
}

function isVersion(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
