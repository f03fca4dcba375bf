import { capability, command, query } from '../../platform/capability.ts'
import { answerMcpRequest, updateChannelToolAccess, updateToolAccess } from './actions/index.ts'
import * as contract from './contract.ts'
import { getToolAccess, toolAccessProjection } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const mcp = capability({
  name: 'mcp',
  tables: ['tool_access', 'channel_tool_access'],
  migrations,
  exportedTables,
  projections: [toolAccessProjection],
  routes: [
    query(contract.getToolAccess, getToolAccess),
    command(contract.updateToolAccess, updateToolAccess),
    command(contract.updateChannelToolAccess, updateChannelToolAccess),
  ],
  gateways: [{ path: '/mcp', answer: answerMcpRequest }],
})
