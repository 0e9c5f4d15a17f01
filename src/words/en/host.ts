import cli from './cli.json' with { type: 'json' };
import doctor from './doctor.json' with { type: 'json' };
import errors from './errors.json' with { type: 'json' };
import host from './host.json' with { type: 'json' };

export const hostWords = { ...host, ...cli, ...doctor, ...errors };
