/**
 * A storage that responds as Azure Blob Storage does. Its URLs have the parameters of a SAS, but it checks only the
 * signature of the sandbox's own storage in them. Blocks are stored one by one, and become an object once their list is
 * committed.
 *
 * https://learn.microsoft.com/rest/api/storageservices/put-blob
 * https://learn.microsoft.com/rest/api/storageservices/put-block
 * https://learn.microsoft.com/rest/api/storageservices/put-block-list
 */
import { hash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  lengthCheck,
  type StorageError,
  type StorageKind,
  type StoredResponse,
} from '../../src/sandbox/storage/kind.ts';
import { createPlain } from '../../src/sandbox/storage/plain.ts';
import { errorOf, errorsBy, type TestStorage } from './test-storage.ts';

/**
 * https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes
 * https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes
 */
const azureErrors = errorsBy({
  400: {
    Md5Mismatch: 'The MD5 value specified in the request did not match the MD5 value calculated by the server.',
  },
  403: {
    AuthenticationFailed:
      'Server failed to authenticate the request. Make sure the value of the Authorization header is formed correctly including the signature.',
  },
  411: { MissingContentLengthHeader: 'The Content-Length header was not specified.' },
  413: { RequestBodyTooLarge: 'The size of the request body exceeds the maximum size permitted.' },
});

/** The errors that only requests for a block or a block list can get. */
export const azureBlockErrors = errorsBy({
  400: {
    InvalidBlobOrBlock: 'The specified blob or block content is invalid.',
    InvalidBlockList: 'The specified block list is invalid.',
    InvalidQueryParameterValue: 'Value for one of the query parameters specified in the request URI is invalid.',
    InvalidXmlDocument: 'XML specified is not syntactically valid.',
  },
});

const error = (code: string, more?: StorageError['more']): StorageError => errorOf(azureErrors, code, more && { more });

const denied = error('AuthenticationFailed');
const expired = error('AuthenticationFailed', { AuthenticationErrorDetail: 'Signature expired' });

/** Returns the response to a stored body. `md5`: the MD5 of the body, in hex. */
const stored = (md5: string): StoredResponse => ({
  status: 201,
  headers: {
    ETag: '"0x8D4BCC2E4835CD0"',
    'Content-MD5': Buffer.from(md5, 'hex').toString('base64'),
    'x-ms-request-id': randomUUID(),
  },
});

/** Creates a storage like Azure Blob Storage. `secret` signs its URLs. */
export const createAzure = (secret: string): TestStorage => {
  const plain = createPlain(secret);
  return {
    sign: (target) => {
      const se = new Date(target.endMs).toISOString();
      const sas = new URLSearchParams({ sv: '2024-11-04', se, sr: 'b', sp: 'cw', sig: 'as-signature' });
      return `${plain.sign(target)}&${sas}`;
    },
    check: (request, nowMs) => {
      if (plain.check(request, Number.NEGATIVE_INFINITY)) return denied;
      return plain.check(request, nowMs) && expired;
    },
    checkLength: lengthCheck(error('MissingContentLengthHeader'), error('RequestBodyTooLarge')),
    receive: (request) => ({ ...plain.receive(request), stored }),
    putPart: createBlocks(),
    expired: () => expired,
    errors: azureErrors,
  };
};

type Block = { readonly content: Buffer; readonly isCommitted: boolean };

/**
 * Creates a function that handles Put Block and Put Block List. The blocks are in memory. Those of an object are lost
 * if it is stored in one request.
 */
const createBlocks = (): NonNullable<StorageKind['putPart']> => {
  const blobs = new Map<string, Map<string, Block>>();

  /**
   * Returns the code of the error for a block whose id is not allowed; undefined if it is allowed. An id has at most 64
   * bytes, and all ids of a blob have the same length.
   */
  const refusal = (blocks: ReadonlyMap<string, Block>, id: string): string | undefined => {
    const { length } = Buffer.from(id, 'base64');
    if (length === 0 || length > 64 || Buffer.from(id, 'base64').toString('base64') !== id)
      return 'InvalidQueryParameterValue';
    const [other] = blocks.keys();
    return other !== undefined && other.length !== id.length ? 'InvalidBlobOrBlock' : undefined;
  };

  /** Returns the blocks that the XML document `list` names, with their ids; or the code of an error. */
  const listed = (blocks: ReadonlyMap<string, Block>, list: string): string | (readonly [id: string, Block])[] => {
    if (!/<BlockList>[\s\S]*<\/BlockList>\s*$/.test(list)) return 'InvalidXmlDocument';
    const entries = [...list.matchAll(/<(Latest|Committed|Uncommitted)>([^<]*)<\/\1>/g)];
    const found = entries.flatMap(([, from, id = '']) => {
      const block = blocks.get(id);
      const isMeant = block && (from === 'Latest' || block.isCommitted === (from === 'Committed'));
      return isMeant ? [[id, { ...block, isCommitted: true }] as const] : [];
    });
    return found.length === entries.length ? found : 'InvalidBlockList';
  };

  return ({ key, request, body, store }) => {
    const query = new URLSearchParams(request.query);
    const comp = query.get('comp');
    if (comp !== 'block' && comp !== 'blocklist') {
      blobs.delete(key);
      return undefined;
    }
    const put = async (): Promise<StorageError | StoredResponse> => {
      const content = await buffer(body);
      const md5 = hash('md5', content, 'base64');
      if ((request.headers['content-md5'] ?? md5) !== md5) return error('Md5Mismatch');
      const blocks = blobs.get(key) ?? new Map<string, Block>();
      blobs.set(key, blocks);
      if (comp === 'block') {
        const id = query.get('blockid') ?? '';
        const refused = refusal(blocks, id);
        if (refused) return errorOf(azureBlockErrors, refused);
        blocks.set(id, { content, isCommitted: false });
      } else {
        const found = listed(blocks, content.toString());
        if (typeof found === 'string') return errorOf(azureBlockErrors, found);
        const object = Buffer.concat(found.map(([, block]) => block.content));
        await store(Readable.from([object]), object.length);
        blobs.set(key, new Map(found));
      }
      return stored(hash('md5', content));
    };
    return put();
  };
};
