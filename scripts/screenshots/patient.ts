import { expect as expectSoon } from '@playwright/test';

/** Waits as long as a busy machine may need, because a late picture is as good as an early one. */
export const expect = expectSoon.configure({ timeout: 60_000 });
