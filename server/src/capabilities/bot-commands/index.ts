import { capability, command, query } from '../../platform/capability.ts'
import { updateCommandsOfBot } from './actions.ts'
import * as contract from './contract.ts'
import { commandsProjection, commandsSnapshot, getBotCommands, getCommandsOfBot } from './queries.ts'
import { exportedTables, migrations } from './tables.ts'

export const botCommands = capability({
  name: 'bot-commands',
  tables: ['bot_commands'],
  migrations,
  exportedTables,
  limits: [contract.COMMAND_LIMIT, contract.ORGANIZATION_COMMAND_LIMIT],
  projections: [commandsProjection],
  routes: [
    query(contract.getBotCommands, getBotCommands),
    query(contract.getCommandsOfBot, getCommandsOfBot),
    command(contract.updateCommandsOfBot, updateCommandsOfBot),
  ],
  events: [{ event: contract.botCommandsUpdated }, { event: contract.botCommandsRemoved, administration: false }],
  snapshot: [{ eventTypes: ['bot_commands'], read: commandsSnapshot }],
})
