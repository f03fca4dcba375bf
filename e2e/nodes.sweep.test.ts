/* Repeats nodes.test.ts with NATS as the bus. */
import { describeNodes } from './nodes/nodes.ts'

describeNodes('NATS')
