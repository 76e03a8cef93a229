// Runs before the page is painted; see build/theme-script.ts. Where storage is blocked, the system decides.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('promptharbor:theme');
  } catch {}
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
