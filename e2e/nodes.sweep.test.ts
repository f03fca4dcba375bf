/* As nodes.test.ts, with servers that hear of each other by NATS. */
import { describeNodes } from './nodes/nodes.ts'

describeNodes('NATS')
