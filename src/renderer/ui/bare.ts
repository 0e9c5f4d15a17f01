/** Styles without what browsers give a list or a button; a component spreads them first. */

export const bareList = { listStyle: 'none', margin: 0, padding: 0 } as const;

export const bareButton = { border: 'none', background: 'none', font: 'inherit', color: 'inherit' } as const;
