import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchNetwork } from './lib/connection.ts';
import { cspNonce } from './lib/nonce.ts';
import { queryClient } from './lib/query-client.ts';
import { watchSession } from './lib/session.ts';
// This module is imported at the start, so that the tab takes its id before the user can duplicate the tab.
import './lib/tab.ts';
import { watchTheme } from './lib/theme.ts';
import { reloadForUpgrade, watchForUpgrades } from './lib/upgrade.ts';
import { router } from './router.tsx';
import { ConnectionBar } from './shell/ConnectionBar.tsx';
import './styles/main.css';
import { Toaster } from './ui/Toaster.tsx';

// Open dialogs add a style sheet that keeps the page behind them from scrolling. The style sheet needs this nonce.
setNonce(cspNonce);
watchTheme();
watchSession();
watchNetwork();
watchForUpgrades();
// The reload is delayed until the URL has changed to the next page.
router.subscribe('onBeforeNavigate', () => setTimeout(reloadForUpgrade));

const root = document.getElementById('root');
if (!root) throw new Error('index.html lacks #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ConnectionBar />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
);
