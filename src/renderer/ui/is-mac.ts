/** Whether the app runs on a Mac, where keys have other names. */
export const isMac = (): boolean => navigator.userAgent.includes('Mac OS');
