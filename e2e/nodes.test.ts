/* Two servers on one database, as behind a load balancer that sends each request anywhere. */
import { describeNodes } from './nodes/nodes.ts'

describeNodes('LISTEN and NOTIFY')
