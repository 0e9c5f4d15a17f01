/** Every damage that is known, to every file of the data directory. */
import { testStoredData } from './support/stored-data.ts';

testStoredData(1);
