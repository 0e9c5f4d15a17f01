/** Tests some damages of every kind. stored-data.long.test.ts tests all of them. */
import { testStoredData } from './support/stored-data.ts';

testStoredData(20);
