"""Fields of trials, of records of patients, and of registries of diseases."""

from __future__ import annotations

from collections.abc import Mapping

STUDIES: Mapping[str, Mapping[str, str]] = {
    "CDISC": {
        "person": "usubjid subjid ~subject rsubjid",
        "unit": "siteid sitegr1 pooledsite",
        "technical": "invnam invid domain aeseq lbseq vsseq exseq cmseq mhseq dsseq egseq qsseq suseq dmseq spdevid "
        "srcdom srcvar srcseq visitseq aespid",
        "plain": "studyid ageu arm armcd actarm actarmcd armnrs trt01p trt01pn trt01a trt01an trt02p trt02a trtp "
        "trtpn trta trtan trtseqp avisit avisitn ~visit visitnum ~epoch param paramcd paramn parcat# parcat1n aval1u "
        "lbtest lbtestcd lbcat lbspec lborresu lbstresu lbornrlo lbornrhi lbstnrlo lbstnrhi lbmethod lbblfl lbfast "
        "vstest vstestcd vsorresu vsstresu vspos vsloc vsblfl vstpt egtest egtestcd qstest qstestcd qscat exdosu "
        "exdosfrm exroute exdosfrq cmdosu cmroute anl01fl anl02fl ablfl dtype ontrtfl randfl basetype atpt atptn "
        "avalcat1n strat1r strat2r pooled saffl ittfl efffl pprotfl fasfl complfl comp24fl mittfl enrlfl rando "
        "~region1 awlo awhi awtarget aphase aperiod",
        "ground": "~age ~sex ~race ethnic agegr1 agegr1n agegr2 agegr2n pooledagegr sexn racen ethnicn brthdtc "
        "birthdtc raceoth aagegr childpot aage",
        "place": "~country countrycd",
        "date": "rfstdtc rfendtc rfxstdtc rfxendtc rficdtc rfpendtc dthdtc dmdtc randdt randdtc trtsdt trtedt trtsdtm "
        "trtedtm tr01sdt tr01edt aestdtc aeendtc astdt aendt lbdtc vsdtc exstdtc exendtc cmstdtc cmendtc mhstdtc "
        "mhdtc dsstdtc egdtc qsdtc eosdt lstalvdt dthdt adt adtm rfstdt rfendt icdt scrdt svstdtc svendtc enrldt",
        "health": "aval avalc ~base basec ~chg pchg aeterm aedecod aellt aehlt aehlgt aebodsys aesoc aesev aesevn "
        "aeser aerel aereln aeacn aeout aetoxgr aesdth aeshosp aeslife trtemfl trtsdy astdy aendy ady lbdy vsdy "
        "aestdy aeendy exdy lborres lbstresc lbstresn lbnrind anrind bnrind shift1 vsorres vsstresc vsstresn egorres "
        "egstresn qsorres qsstresc qsstresn mhterm mhdecod mhbodsys cmtrt cmdecod cmclas cmindc cmdose exdose extrt "
        "dthfl dthcaus dthcgr1 aeserfl trtdurd trtdur bmibl weightbl heightbl heightblcm hba1cbl egfrbl diabdur "
        "smokstat smokefl cnsr evntdesc adtte ecogbl disonsdt visnumen durdis durdsgr1 mmsetot mmse dcsreas dcreascd "
        "dcdecod eosstt eotstt disconfl ds1term dsterm dsdecod discdeat prirxfl cuminj avalcat# crit# chgcat# ldose "
        "dose01a sutrt sudose suncf lbclsig priort# prtrt dthdy",
    },
    "FHIR and HL7": {
        "person": "~id patientid ~identifier ~identifiervalue mrn subjectreference subjectid patientreference pid3",
        "number": "encounterid fullurl encounterreference setid visitnumber visitno accessionno accessionnumber "
        "~ordernumber fillerorder placerorder",
        "name": "namefamily namegiven namegiven0 nametext telecom telecomvalue telecomphone addressline addressline0 "
        "addresstext generalpractitionername contactname pid5 pid11 nokname",
        "ground": "birthdate ~gender maritalstatuscode maritalstatustext communicationlanguage extensionrace "
        "extensionethnicity racecode ethnicitycode birthsex administrativesex administrativegender deceasedboolean "
        "pid7 pid8",
        "place": "addresscity addresspostalcode addressstate addressdistrict addresscountry birthplace",
        "date": "periodstart periodend admitdatetime dischargedatetime effectivedatetime issued recordeddate "
        "onsetdatetime authoredon deceaseddatetime admitdt dischdt performeddatetime abatementdatetime",
        "staff": "generalpractitioner attendingdoctor attendingphys admittingphys pcpid",
        "unit": "managingorganization serviceprovider assignedpatientlocation pointofcare locationid "
        "serviceproviderdisplay",
        "technical": "metalastupdated metaversionid lastupdated versionid resourcetype sendingfacility "
        "messagecontrolid sendingapplication metaprofile",
        "health": "classcode encounterclass reasoncode reasoncodetext hospitalizationdischargedisposition "
        "valuequantityvalue valuequantity valuestring obsvalue ~interpretation interpretationcode clinicalstatus "
        "verificationstatus codetext codedisplay codecodingcode conditioncode dosagetext medicationcode "
        "medicationcodeableconcept dischargedisposition admitsource admissiontype patientclass diagnosiscode "
        "hospitalservice servicetype abnormalflag severitycode criticality",
        "plain": "valuequantityunit codesystem codecodingsystem valueunit ~statuscode loinccode loincnum obsunits "
        "categorycode",
    },
    "OMOP": {
        "person": "personid personsourcevalue",
        "number": "visitoccurrenceid conditionoccurrenceid measurementid drugexposureid observationid "
        "procedureoccurrenceid",
        "ground": "genderconceptid yearofbirth monthofbirth dayofbirth birthdatetime raceconceptid ethnicityconceptid "
        "gendersourcevalue racesourcevalue ethnicitysourcevalue gendersourceconceptid racesourceconceptid",
        "place": "locationid",
        "unit": "providerid caresiteid",
        "date": "visitstartdate visitenddate conditionstartdate conditionenddate measurementdate "
        "drugexposurestartdate observationdate drugexposureenddate proceduredate deathdate observationperiodstartdate "
        "observationperiodenddate",
        "health": "conditionconceptid drugconceptid measurementconceptid valueasnumber valueasconceptid "
        "procedureconceptid visitconceptid conditionsourcevalue drugsourcevalue measurementsourcevalue causeconceptid "
        "dayssupply admittedfromconceptid dischargedtoconceptid observationconceptid admittingsourcevalue",
        "plain": "unitconceptid unitsourcevalue drugtypeconceptid conditiontypeconceptid visittypeconceptid rangelow "
        "rangehigh",
    },
    "i2b2 and PCORnet": {
        "person": "patientnum patid",
        "number": "encounternum",
        "ground": "sexcd racecd agevaleatnum ageinyearsnum birthdate languagecd maritalstatuscd hispanic "
        "genderidentity patprefflanguagespoken",
        "belief": "religioncd sexualorientation",
        "place": "zipcd statecityzippath",
        "date": "startdate enddate admitdate dischargedate dxdate resultdate",
        "unit": "providerid locationcd siteid facilityid",
        "health": "conceptcd tvalchar nvalnum valueflagcd modifiercd vitalstatuscd inoutcd lengthofstay enctype dx "
        "dxtype pdx drg rxnormcui systolic diastolic originalbmi smoking tobacco",
        "technical": "updatedate downloaddate importdate sourcesystemcd uploadid valtypecd",
        "plain": "unitscd",
        "money": "incomecd",
    },
    "records of hospitals": {
        "person": "patmrnid patencid patencsid hspaccountid mrnnum encntrid fin finnbr csn ipp nip ~iep nda numsejour "
        "numdossier fallnr fallnummer aufnahmenr patnr nhsnumber hospno nosgp nhc numhc histclin nhistoria nosologico "
        "codicefiscale cartella nss nis",
        "name": "patname patlastname patfirstname providername attname gpname",
        "ground": "patsex sexc patientracec ethnicgroupc maritalstatusc birthdt dobdt agenc edadanos nacpac ddnpat "
        "aufnalter",
        "place": "~addhxline1 patzip",
        "date": "hospadmsntime hospdischtime admitdttm dischdttm regdttm contactdate dtadm datent datsor dtent dtsor "
        "fecing fecalt admdt dischdt ~admmeth epistart epiend triagetime arrdttm aufndat entldat",
        "unit": "~departmentid locid losnurseunitcd wardcode ~proccode3 pcpprovid visitprovid uf ufcode unitemed "
        "medresp ~consult ~hrg facilitycd deptcd",
        "health": "dischdispositionc dischdispositioncd dischargedispositionc admitdx primarydx princdx dx1 dx# diag# "
        "diag1 icd10code hrgcode spelllos dp das da# ghm ghs modeentree modesortie entrymode dischmethod disdest "
        "admisorc admimeth epistat apgar# drgcode losdays losd wardlos triagelevel esi ctas mts news2 newsscore "
        "gcsscore ews mews braden barthelindex frailtyscore pflegegrad pg beatmst kostentr einwgrund aufngrund "
        "entlgrund fvc fev1 nyhaclass charlsonindex readmit30 readm30 icuflag allergyflag mrsaflag dnr hautstatus "
        "dekubitus sturz fem feml fixierung sturzrisiko mna",
        "money": "finclass financialclass payercd primarypayer payor totchg totcharges insplan",
        "belief": "religionc",
        "technical": "updtdttm updtid activeind",
    },
    "registries of cancer": {
        "person": "patientidnumber tumorid tumourid ~regid",
        "ground": "ageatdiagnosis agedx sexcode raceth ~race1 spanishhispanicorigin agerecode maritalstatusdx ~sexo "
        "yearbirth",
        "place": "countyatdx addratdxstate puicountyatdx dhcregion",
        "date": "yeardx monthdx dateofdiagnosis dateoflastcontact yrdx dtdiag datedx",
        "health": "primarysite histologicicdo3 histtype behaviorcode ~grade stagedx derivedajcc laterality tnmt tnmn "
        "tnmm tumsize regnodes surgprim ~radiation chemotherapy survmonths vitalstatus codtositerec seercauseofdeath "
        "eod icdo3 ~topography morpho psadx her2 erstatus prstatus pt pn pm uicc resektion ct cn cm seqprim nummalig "
        "gleason#",
    },
}  # fmt: skip
"""Kinds of column by standard, and the names of the fields of each."""
