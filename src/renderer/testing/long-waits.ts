import { configure } from '@testing-library/dom';

// As long as `expect.poll` waits: machines differ a lot in speed, and parts of pages are loaded first.
configure({ asyncUtilTimeout: 60_000 });
