/* The output of info, as JSON. */
#ifndef CLI_INFO_JSON_H
#define CLI_INFO_JSON_H

#include "fold/request.h"

/* Prints the object of --json: when it is whole, or not at all. */
jr_status cli_info_json(const jr_device_info *device, const cli_request *request, const jr_plan *plan);

#endif
