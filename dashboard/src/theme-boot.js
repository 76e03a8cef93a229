// Runs before the first paint. See build/theme-script.ts. If storage is blocked, the system theme applies.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('promptharbor:theme');
  } catch {}
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
