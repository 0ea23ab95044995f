import { defineLibrary, type Shape } from '../schema.js';
import { alike } from '../stores/alike.js';

const change: Shape = { call: { effect: { kind: 'external', data: '0' } } };
/** The second time changes nothing: labels, assignees, states, removals. */
const setLike: Shape = { call: { effect: { kind: 'external', data: '0', idempotent: true } } };
const read: Shape = { call: { effect: { kind: 'read' } } };

/** One group of the REST API (`octokit.rest.issues`); what is not named here changes something. */
const group: Shape = {
  members: {
    ...alike(
      'get list listForRepo listForOrg listComments listFiles listCommits listReviews listLabelsOnIssue listTags listBranches listReleases ' +
        'listPullRequestsAssociatedWithCommit listCommitStatusesForRef listForRef listForAuthenticatedUser listInstallations listMembers listTeams ' +
        'getContent getBranch getCommit getComment getRef getTree getBlob getByUsername getAuthenticated getReadme getReview getRepoInstallation ' +
        'getOrgInstallation getUserInstallation getInstallation getLatestRelease getReleaseByTag getCollaboratorPermissionLevel getCombinedStatusForRef ' +
        'checkCollaborator checkMembershipForUser checkIfMerged compareCommits compareCommitsWithBasehead listWorkflowRuns getWorkflowRun ' +
        'listJobsForWorkflowRun issuesAndPullRequests code repos users commits getLabel getMilestone listMilestones listForSuite',
      read,
    ),
    ...alike(
      'createCommitStatus addLabels setLabels removeLabel removeAllLabels addAssignees removeAssignees update updateComment updateRef updateRelease updateReview ' +
        'updateLabel updateMilestone updateWebhook dismissReview merge updateBranchProtection createOrUpdateFileContents lock unlock delete deleteComment deleteRef deleteLabel requestReviewers removeRequestedReviewers ' +
        'addCollaborator removeCollaborator replaceAllTopics createOrUpdateRepoSecret addOrUpdateMembershipForUser',
      setLike,
    ),
  },
  anyMember: change,
};

const groups = alike('issues pulls repos git actions checks users orgs apps search teams reactions', group);

const client: Shape = {
  extendable: true,
  members: {
    rest: { anyMember: group },
    /** `request('POST /repos/…', parameters)`: the verb stands in the text, which nothing reads; the same for a GraphQL document. */
    request: read,
    graphql: read,
    paginate: { call: { effect: { kind: 'read' } }, members: { iterator: read } },
    auth: read,
    log: { anyMember: { call: {} } },
    hook: { anyMember: { call: {} } },
    ...groups,
  },
};

/** octokit 5, @octokit/rest 22, @octokit/core 7: no call takes a key. */
export default defineLibrary({
  name: 'octokit',
  packages: ['octokit', '@octokit/rest', '@octokit/core', '@octokit/action'],
  // Clients are often made by a helper of the program's own, out of an installation; these names are GitHub's alone.
  distinctive: {
    methods: {
      createCommitStatus: setLike,
      ...alike('createForIssueComment createForPullRequestReviewComment createReviewComment createWorkflowDispatch createDispatchEvent', change),
    },
    anywhere: true,
    // `search`, `users`, `teams` alone could be anybody's.
    object: { named: /(octokit|github)(rest|api|client)?$/i, members: { ...alike('issues pulls repos git actions checks reactions', group), rest: { members: groups } } },
  },
  exports: {
    Octokit: { construct: { returns: 'Octokit' }, members: { defaults: { call: { returns: 'OctokitClass' } }, plugin: { call: { returns: 'OctokitClass' } } } },
    App: { construct: { returns: 'App' } },
  },
  types: {
    Octokit: client,
    OctokitClass: { construct: { returns: 'Octokit' } },
    App: { members: { getInstallationOctokit: { call: { returns: 'Octokit' } }, octokit: 'Octokit' } },
  },
});
