import { capability } from '../../platform/capability.ts'

/** Activity: who was here lately, whatever their clients say of presence. Noted once a day for each user. */
export const activity = capability({ name: 'activity', tables: ['user_activity'] })
