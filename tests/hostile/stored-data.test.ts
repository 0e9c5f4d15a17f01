/** Tests some changes of each group in hostile-home.ts. stored-data.long.test.ts tests all of them. */
import { testStoredData } from './support/stored-data.ts';

testStoredData(20);
