import { expect as expectSoon } from '@playwright/test';

/** Waits as long as a busy machine takes: a picture that comes late is as good. */
export const expect = expectSoon.configure({ timeout: 60_000 });
