/* IDs and names of the organization's objects that the most expensive requests use. */

/** @import { Request } from './requests.js' */

/**
 * @typedef {object} Known @property {number} me ID of the owner who sends the requests
 * @property {string} email @property {readonly number[]} users all IDs
 * @property {readonly number[]} others users that requests can change and deactivate
 * @property {readonly { id: number, name: string }[]} channels the owner's subscriptions
 * @property {readonly number[]} messages IDs of the newest messages, including those of the longest topic
 * @property {{ channel: number, name: string, newest: number }} topic a long topic
 * @property {number} own a message of the owner, edited to a text that has nothing in common with the original
 * @property {number} voted a message of the owner with the maximum number of submessages
 * @property {number} bot @property {number} group a group of everyone
 * @property {readonly number[]} groups nested, each in the next
 * @property {number} field a custom profile field with long text
 * @property {readonly number[]} fields @property {number} folder @property {readonly number[]} folders
 * @property {number} linkifier @property {readonly number[]} linkifiers @property {number} playground
 * @property {string} view @property {string} file path of an uploaded file, after `/user_uploads/`
 * @property {number} attachment @property {number} draft @property {number} snippet @property {number} scheduled
 * @property {number} reminder @property {string} queue
 */

/** @typedef {Readonly<Record<string, readonly Request[] | string>>} Inputs by endpoint, or the reason to omit it */

/** UNIX seconds. */
export const FUTURE_SECONDS = 4_000_000_000
