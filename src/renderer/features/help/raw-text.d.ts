/** Imports a file as text, which becomes part of the build. */
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: Vite exports the text as the default.
  export default text;
}
