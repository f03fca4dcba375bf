/* Two servers on one database, as behind a load balancer without sticky sessions. */
import { describeNodes } from './nodes/nodes.ts'

describeNodes('LISTEN and NOTIFY')
