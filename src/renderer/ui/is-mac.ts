/** Whether keys are to be named as on a Mac. */
export const isMac = (): boolean => navigator.userAgent.includes('Mac OS');
