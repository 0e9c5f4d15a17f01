/** Provides a hostile service for a test file. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/server.ts';
import { type HostileService, type StartedHostileService, startHostileService } from './start-hostile-service.ts';

/** Starts a hostile service for this file. After each test, it is honest again. */
export const useHostileService = (options: SandboxOptions = {}): HostileService => {
  let service: StartedHostileService;
  beforeAll(async () => {
    service = await startHostileService(options);
  });
  afterEach(() => service.behave());
  afterAll(() => service.close());
  return {
    get address() {
      return service.address;
    },
    get sandbox() {
      return service.sandbox;
    },
    get control() {
      return service.control;
    },
    attack: (...attack) => service.attack(...attack),
  };
};
