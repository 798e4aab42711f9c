"""Names that many people have, without accents: a column in which a quarter of the values are among them names people.

Words that mean something else more often (brown, green, may, summer) are left out.
"""

from __future__ import annotations

GIVEN_NAMES = (
    # English
    "michael david daniel paul james john robert mary patricia jennifer linda elizabeth susan jessica sarah karen "
    "thomas christopher matthew anthony mark andrew steven kevin brian george edward jason jeff ryan amy anna emma "
    "ben kyle tyler alex william richard joseph charles nancy lisa margaret sandra ashley emily michelle carol "
    "amanda melissa alice bob eve frank henry jack kate lucy max nina oscar rosa sam tom victor walter donald "
    "kenneth joshua ronald timothy gary nicholas eric jonathan stephen larry justin scott brandon benjamin samuel "
    "gregory alexander patrick raymond dennis jerry aaron jose adam nathan zachary harold peter noah ethan jeremy "
    "keith roger terry sean gerald carl dylan jordan jesse bryan arthur lawrence gabriel bruce logan albert willie "
    "alan juan elijah wayne randy roy ralph eugene russell bobby philip louis harry howard donna deborah stephanie "
    "rebecca sharon laura cynthia kathleen dorothy angela shirley brenda pamela nicole samantha katherine christine "
    "helen debra rachel carolyn janet maria catherine heather diane olivia julie joyce victoria ruth virginia "
    "lauren kelly christina joan evelyn judith andrea hannah megan cheryl jacqueline martha madison teresa gloria "
    "sara janice ann kathryn abigail sophia frances jean judy beverly denise marilyn amber danielle brittany diana "
    "natalie jane oliver charlie liam freya isla poppy ella grace chloe felix gemma imogen jasper kerry moira nigel "
    "trevor wendy zoe derek elaine alicia stella vernon graham ian neil craig fiona gillian hazel lorraine maureen "
    "shaun stuart simon tracy hugh elliot leah molly owen rhys sian bethany callum "
    # German
    "clara finn greta hans ida jonas karla leon mia lukas sophie lea julia klaus jurgen wolfgang stefan andreas "
    "monika ursula petra sabine anke bernd carsten dorte elke falk gudrun heiko ilse jochen katrin lothar maike "
    "norbert renate silke torsten ulrike volker dieter uwe manfred gunter horst helmut gerhard heinz werner karl "
    "walter matthias markus martin tobias sebastian florian jan tim niklas luca paula lina emil anton jakob johanna "
    "charlotte lotte frieda helga brigitte christa ingrid gisela heike birgit claudia anja tanja kerstin susanne "
    "martina barbara jorg kai sven dirk ralf holger rainer detlef harald erich friedrich wilhelm hermann otto ernst "
    "rudolf gertrud erika hilde inge marlene annika svenja nele lars malte hendrik arne sigrid waltraud irmgard "
    "hannelore christoph benedikt "
    # French
    "jean pierre michel philippe nathalie isabelle camille luc adele bastien corinne damien elodie fabrice gaelle "
    "herve ines jerome karine loic maelle noemie pascal romain solene thierry alain bernard andre jacques francois "
    "christophe nicolas laurent frederic olivier sebastien stephane guillaume antoine julien mathieu alexandre "
    "thibault quentin sylvie catherine martine francoise monique valerie christelle sandrine veronique celine "
    "aurelie emilie audrey manon lucas enzo jules hugo louise jade chloe lena juliette margaux pauline mathilde "
    "clemence marion anais brigitte genevieve odile yves gilles didier serge denis remi benoit xavier arnaud cedric "
    "yann gwenaelle delphine agnes "
    # Spanish and Portuguese
    "carlos luis carmen ana isabel javier miguel pedro lucia pablo antonio francisco manuel adriana beatriz cesar "
    "diego elena fernando joaquin leticia marta nicolas olga pilar raul silvia tomas alejandro sergio jorge alberto "
    "alvaro rafael angel ramon enrique andres ignacio oscar ruben ivan jaime mercedes dolores rosario cristina "
    "raquel rocio patricia monica veronica sonia teresa concepcion josefa inmaculada alba paula daniela valentina "
    "sofia martina julio mateo santiago emilio ricardo eduardo guillermo felipe gonzalo esteban agustin ximena "
    "guadalupe yolanda esperanza joao paulo tiago rui catarina ines mariana "
    # others
    "ahmed mohamed mohammed muhammad fatima ali mehmet ayse mustafa emre hassan hussein omar ibrahim youssef "
    "khadija aisha layla olga dmitri natalia sergei vladimir elena tatiana irina svetlana wei li ming jing yan hui "
    "xiao yuki hiroshi takashi kenji sakura haruto priya raj amit sanjay anjali deepak sunita vijay rahul neha "
    "arjun ravi giuseppe giovanni marco francesca alessandro chiara luca matteo giulia piotr pawel krzysztof "
    "agnieszka katarzyna malgorzata tomasz anders lars sven ingrid astrid johan erik karin pieter jan willem sanne "
    "daan"
)
SURNAMES = (
    # English
    "smith johnson williams jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson "
    "thomas taylor moore jackson martin lee perez thompson harris sanchez clark ramirez lewis robinson walker allen "
    "wright scott torres nguyen hill flores adams nelson baker hall rivera campbell mitchell carter roberts gomez "
    "phillips evans turner diaz parker cruz edwards collins reyes stewart morris morales murphy cook rogers "
    "gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim cox richardson watson brooks chavez "
    "bennett mendoza ruiz hughes alvarez castillo sanders patel myers ross foster jimenez powell jenkins perry "
    "russell sullivan bell coleman butler henderson barnes gonzales fisher vasquez simmons romero patterson "
    "hamilton griffin wallace moreno hayes bryant herrera gibson ellis tran medina murray marshall mcdonald kennedy "
    "wells webb simpson stevens tucker porter hunter hicks crawford boyd mason khan ahmed hussain shah singh kaur "
    "davies lloyd owen griffiths walsh obrien oconnor byrne ryan macdonald ashford bannister eastwood fairley "
    "ingram jessop kirkby marlow norwood ogden penrose radley thorne underhill whitlock "
    # German
    "muller mueller schmidt schneider fischer weber meyer wagner becker schulz schultz hoffmann schafer koch bauer "
    "richter klein wolf schroder neumann schwarz zimmermann braun kruger hofmann hartmann lange schmitt werner "
    "schmitz krause meier lehmann schmid schulze maier kohler herrmann konig walter mayer huber kaiser fuchs peters "
    "lang scholz moller weiss jung hahn schubert vogel friedrich keller gunther frank berger winkler roth beck "
    "lorenz baumann franke albrecht schuster simon ludwig bohm winter kraus martin schumacher kramer vogt stein "
    "jager otto sommer gross seidel heinrich brandt haas schreiber graf schulte dietrich ziegler kuhn kuhne pohl "
    "engel horn busch bergmann thomas voigt sauer arnold wolff pfeiffer conrad dietz jahn maurer reuter thiel "
    "ullrich "
    # French
    "bernard dubois petit durand leroy moreau lefevre lefebvre roux fournier girard bonnet dupont lambert fontaine "
    "rousseau vincent muller faure mercier blanc guerin boyer garnier chevalier francois legrand gauthier perrin "
    "robin clement morin henry roussel mathieu gautier masson marchand duval denis dumont marie lemaire noel meyer "
    "dufour meunier brun blanchard giraud joly riviere lucas brunet gaillard barbier arnaud martinez gerard roche "
    "renard schmitt roy leroux colin vidal caron picard roger fabre aubert lemoine renaud dumas lacroix olivier "
    "philippe bourgeois pierre benoit rey leclerc payet rolland leclercq guillaume lecomte jacquet tessier delmas "
    "hubert laurent simon michel "
    # Spanish and Portuguese
    "fernandez munoz gil serrano blanco molina castro ortega rubio marin sanz iglesias nunez garrido cortes santos "
    "lozano guerrero cano prieto mendez cruz calvo gallego vidal leon marquez herrero pena cabrera campos vega "
    "fuentes carrasco diez caballero nieto aguilar santana herrera pascual gimenez hidalgo lorenzo montero ibanez "
    "ferrer duran vicente mora benitez delgado espinosa jimenez lara navarro quintana rojas salazar vargas suarez "
    "dominguez vazquez ramos martin silva pereira ferreira oliveira costa rodrigues almeida sousa carvalho "
    # others
    "wang zhang liu chen yang huang zhao zhou yamamoto tanaka suzuki sato watanabe takahashi park choi kumar sharma "
    "gupta das reddy rossi russo ferrari esposito bianchi romano ricci marino greco nowak kowalski wisniewski "
    "wojcik hansen johansen olsen larsen andersen pedersen nielsen jensen christensen johansson karlsson nilsson "
    "eriksson de_vries jansen bakker visser yilmaz demir celik kaya sahin ivanov petrov smirnov popov novak horvat"
)
