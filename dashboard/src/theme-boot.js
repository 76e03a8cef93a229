// This script runs before the first paint. See build/theme-script.ts. If the browser blocks storage, the system theme applies.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('promptharbor:theme');
  } catch {}
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
